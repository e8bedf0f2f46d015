"""A game that a restart cut off goes on by itself, and no phone is scanned again."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import drawn
from phones import Phone
from playwright.sync_api import Browser, Page, expect
from railspotter.table.home import ProfileStore
from served_play import asked, filming, found, free_port, posted, put, serving_play
from table_pages import PATIENCE_MS, PHONE, points, ready, say
from waiting import until

PLAYERS = [{"name": "Ann", "colour": "red"}, {"name": "Bo", "colour": "blue"}]
LONG_MS = 6 * PATIENCE_MS  # the program starts, and finds the board, on a busy machine


@contextmanager
def shown(browser: Browser, phone: Phone) -> Iterator[Page]:
    """The page in a browser that has a phone's cookie."""
    name, _, value = phone.cookie.partition("=")
    with browser.new_context(viewport=PHONE) as context:
        context.add_cookies([{"name": name, "value": value, "url": phone.origin}])
        page = context.new_page()
        page.set_default_timeout(LONG_MS)
        page.goto(phone.origin)
        yield page


@contextmanager
def posting(camera: Phone) -> Iterator[None]:
    """A phone that films on, whatever happens to the program."""
    is_over = threading.Event()

    def post() -> None:
        while not is_over.wait(0.3):
            posted(camera)

    thread = threading.Thread(target=post)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def test_the_game_of_this_evening_goes_on_by_itself(browser: Browser, home: Path) -> None:
    ProfileStore(home).save(drawn.profile())
    port = free_port()
    with serving_play(port) as play:
        join = play.link("join")
        host = play.host()
        put(host, "edition", {"edition": "usa"})
        put(host, "players", {"players": PLAYERS})
        camera = filming(host)
        until(lambda: found(host, camera))
        host.post("/set-up/begin")
        game = until(lambda: posted(camera) and asked(host, "/state"))["game"]["id"]
        ann = Phone(port).join(join)
        assert ann.post("/seat", {"seat": "ann"}).status == 200
        assert ann.correct("helena--seattle", "red").status == 200
        with shown(browser, host) as host_page, shown(browser, ann) as ann_page:
            for page in (host_page, ann_page):
                ready(page)
                page.evaluate("window.isSame = true")
            play.process.kill()
            play.process.communicate()
            expect(ann_page.locator("#trouble")).to_contain_text(say("lost.text"))
            expect(ann_page.locator("#status")).to_contain_text(say("status.lost"))
            with posting(camera), serving_play(port):
                for page in (host_page, ann_page):
                    expect(page.locator("#trouble")).to_be_hidden(timeout=LONG_MS)
                    expect(points(page, "ann")).to_have_text("15", timeout=LONG_MS)
                    assert page.evaluate("window.isSame"), "nobody had to reload"
                state = until(lambda: asked(host, "/state"))
                assert state["game"]["id"] == game
                assert host.get("/you").json["is_host"]
                assert ann.get("/you").json["seat"] == "ann"
                assert camera.get("/you").json["is_camera"]


def test_the_result_is_back_until_somebody_plays_again(browser: Browser, home: Path) -> None:
    port = free_port()
    with serving_play(port) as play:
        join = play.link("join")
        host, ann = play.host(), Phone(port).join(join)
        for what, body in (
            ("edition", {"edition": "usa"}),
            ("players", {"players": PLAYERS}),
            ("source", {"source": "none"}),
        ):
            put(host, what, body)
        host.post("/set-up/begin")
        until(lambda: asked(host, "/state"))
        assert ann.post("/seat", {"seat": "ann"}).status == 200
        assert ann.correct("helena--seattle", "red").status == 200
        assert [host.post(call).status for call in ("/end", "/count")] == [200, 200]
        until(lambda: host.state()["phase"] == "winner")
        game = host.state()["game"]["id"]
        with shown(browser, ann) as page, shown(browser, host) as television:
            television.goto(f"{host.origin}/screen")
            play.process.kill()
            play.process.communicate()
            expect(page.locator("#status")).to_contain_text(say("status.lost"))
            with serving_play(port):
                won = say("winner.single", name="Ann")
                expect(page.locator("#trouble")).to_be_hidden(timeout=LONG_MS)
                expect(page.locator("#ending")).to_contain_text(won)
                expect(television.locator(".rs-winner")).to_have_text(won)
                assert until(lambda: asked(host, "/state"))["phase"] == "winner"
                assert host.post("/again").status == 200
                until(lambda: host.get("/table").json["game"] not in (game, None))
                expect(page.locator("#ending")).to_be_hidden(timeout=LONG_MS)
