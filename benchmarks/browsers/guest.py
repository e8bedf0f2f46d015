"""A guest, who came in by the code and took no seat: tries every call, and scores a photo."""

import re
import time
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from typing import Any

from phones import Phone

from .phones import Phones
from .program import Program

# Streams without an end; what makes a guest a player; what asks the host's phone for a word; what
# the evening does on the page itself.
LEFT_OUT = re.compile(r"/events$|\.mjpg$|/seat$|/host/requests$|/photos$")
MAY = ("For everyone", "For a phone that opened", "For whoever has the game's link.")
HERE = "and this computer."
REFUSED = (401, 403)
# Who asks from elsewhere: this computer itself may do more, as become a host's.
FROM_ELSEWHERE = {"X_Forwarded_For": "192.0.2.9"}
# What stands in bodies and paths, by its name: all of it exists at the table, or might.
VALUES = {
    "seat": "red",
    "other": "blue",
    "kind": "route",
    "about": "helena--seattle",
    "colour": "blue",
    "now": "blue",
    "format": "jsonl",
    "seq": "1",
    "edition": "usa",
    "source": "none",
    "strength": "easy",
}
RETRY_S = 1.0


def come_in_as_guest(phones: Phones, link: str) -> None:
    """Open the code on the guest's phone, and take no seat."""
    with phones.diary.step("a guest comes in, and takes no seat"):
        phones.guest.goto(link)
        phones.guest.wait_for_selector("body[data-ready]")
        phones.guest.locator("dialog .quiet").last.click()
    phones.screenshot("guest", phones.guest)


def try_everything(phones: Phones, program: Program) -> None:
    """Try every call of the description with a guest's cookie, and without any; print the counts.

    Raises `AssertionError` where one that is not a guest's is not refused, or changes the game.
    """
    cookies = phones.guest.context.cookies()
    guest = "; ".join(f"{one['name']}={one['value']}" for one in cookies)
    for who, cookie in (("a guest", guest), ("a phone without a cookie", "")):
        with phones.diary.step(f"{who} tries every call") as step:
            counts = _try_all(Phone(program.port, cookie), Phone(program.port, guest))
            step.note = ", ".join(f"{count} {what}" for what, count in counts.items())
            print(f"    {who}: {step.note}", flush=True)


def _try_all(phone: Phone, watcher: Phone) -> Counter[str]:
    described = watcher.get("/openapi.json").json
    before, counts = _game(watcher), Counter[str]()
    for method, path, call in _calls(described):
        if LEFT_OUT.search(path):
            counts["left out"] += 1
            continue
        status, code = _answer(phone, method, path, _body(call, described))
        is_allowed = call["description"].startswith(MAY) or code == "not now"
        # Who is here is asked by the call itself, after its body was read.
        refused = (*REFUSED, 400) if call["description"].endswith(HERE) else REFUSED
        assert is_allowed or status in refused, f"{method} {path}: {status}"
        assert _game(watcher) == before, f"{method} {path} changed the game ({status})"
        done = "done" if status < 400 else "refused"
        counts[f"{done} that a guest may make" if is_allowed else "refused to guests"] += 1
    return counts


def _game(phone: Phone) -> Any:
    """Return what no guest may change."""
    state = phone.state()
    return [
        phone.get("/table").json["phase"],
        *(state[key] for key in ("game", "players", "spots")),
    ]


def _calls(described: Any) -> Iterator[tuple[str, str, Any]]:
    for path, operations in described["paths"].items():
        filled = re.sub(r"\{(\w+)\}", lambda name: VALUES.get(name[1], "nothing"), path)
        for method, call in operations.items():
            yield method.upper(), filled, call


def _answer(phone: Phone, method: str, path: str, body: Any) -> tuple[int, str]:
    while (answer := phone.ask(method, path, body, **FROM_ELSEWHERE)).status in (429, 503):
        time.sleep(RETRY_S)
    return answer.status, "" if answer.status < 400 else answer.code


def _body(call: Any, described: Any) -> Any:
    content = call.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema")
    return _sample(schema, described, "") if schema else {}


def _sample(schema: Any, described: Any, name: str) -> Any:
    """Return some value that keeps to a schema."""
    if "$ref" in schema:
        kind = schema["$ref"].rpartition("/")[2]
        return _sample(described["components"]["schemas"][kind], described, name)
    if "anyOf" in schema:
        return _sample(schema["anyOf"][0], described, name)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            needed = schema.get("required", ())
            return {key: _sample(schema["properties"][key], described, key) for key in needed}
        case "array":
            count = max(1, schema.get("minItems", 0))
            return [_sample(schema.get("items", {}), described, name) for _ in range(count)]
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return True
    return VALUES.get(name, "nothing")


def score_photo_meanwhile(phones: Phones, program: Program, route: str, colour: str) -> None:
    """Have the guest's phone score a photo of the board while a route is claimed."""
    diary, page = phones.diary, phones.guest
    photo = b64decode(phones.board.jpeg)
    page.goto(f"{program.address}/photo")
    phones.screenshot("photo", page)
    page.locator("#camera").set_input_files(
        {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": photo}
    )
    began = time.monotonic()
    page.locator("#send button[type=submit]").click(no_wait_after=True)
    with diary.step(f"{colour} claims a route while a photo is scored", "not measured"):
        phones.place_route_and_wait(route, colour)
    with diary.step("the photo's score, on the guest's phone", "not measured") as step:
        page.locator("#send").wait_for(state="detached")
        step.note = f"{time.monotonic() - began:.1f} s after it was sent"
        assert page.locator(".problem:visible").count() == 0, page.locator("main").inner_text()
    phones.screenshot("photo-scored", page)
