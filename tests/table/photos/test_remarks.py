"""What is told beside a photo's scores, to the terminal, the page and programs alike."""

import drawn
from msgspec.structs import replace
from railspotter.scoring.edition import load_edition
from railspotter.scoring.sentence import Sentence
from railspotter.scoring.spot import Spot, spots_of
from railspotter.table.photos.scored_photo import PhotoPart, ScoredPhoto
from railspotter.table.photos.scored_photo_text import to_text
from railspotter.vision.readings import Doubt, MarkerReading

USA, RULES = drawn.usa(), load_edition("usa")
NOTE = Sentence("the light is strongly coloured")
LONE = Spot("route", "helena--seattle")


def photo(claims: dict[str, str]) -> ScoredPhoto:
    """A photo that shows these claims."""
    held = spots_of("route", claims)
    colours = ("red", "blue", "green")
    return ScoredPhoto("a.jpg", USA, RULES, colours, held=held, notes=(NOTE,))


def claims_of(red: int, blue: int) -> dict[str, str]:
    """So many routes of each, no two between the same places."""
    routes = [route.id for route in USA.routes if route.lane == 0 and route.id != LONE.id]
    return dict.fromkeys(routes[:red], "red") | dict.fromkeys(routes[red : red + blue], "blue")


def test_more_trains_than_a_player_has() -> None:
    claims = claims_of(red=15, blue=1)
    used = sum(USA.route_by_id[name].length for name in claims if claims[name] == "red")
    seen = photo(claims)
    assert f"red has used {used} trains, of 45: not sure of " in seen.remarks[1]
    enough = [n for n in claims if claims[n] == "red" and USA.route_by_id[n].length >= used - 45]
    likely = enough[-1]
    unsure = replace(seen, sure=spots_of("route", {**dict.fromkeys(claims, 0.99), likely: 0.9}))
    route = USA.route_by_id[likely]
    named = f"{USA.place_by_id[route.a].name} - {USA.place_by_id[route.b].name}, "
    assert f"not sure of {named}" in unsure.remarks[1]
    put_right = unsure.with_answers({Spot("route", likely): None})
    assert not any("not sure" in remark for remark in put_right.remarks)


def test_more_people_than_the_box_has_players() -> None:
    seen = photo({**claims_of(red=3, blue=3), LONE.id: "green"})
    two = replace(seen, edition=RULES.with_house_rules({"players": [2, 2]}))
    assert two.remarks[1] == "2 to 2 people play USA (2004), not 3"
    assert seen.remarks == (NOTE,)


def test_a_lone_route_among_many() -> None:
    seen = photo({**claims_of(red=5, blue=5), LONE.id: "green"})
    assert seen.remarks[1:] == (
        "only one route is green, Helena - Seattle: check that green trains are really there",
    )
    said = Sentence("it is not clear whether trains stand there")
    asked = replace(seen, doubts=(Doubt(LONE, "green", (None,), said),))
    assert asked.remarks == (NOTE,), "it is asked about"
    begun = photo({**claims_of(red=3, blue=5), LONE.id: "green"})
    assert begun.remarks == (NOTE,), "the game has hardly begun"


def test_a_photo_that_repeats_another() -> None:
    parts = tuple(PhotoPart(name, None, None, 0.5) for name in ("a.jpg", "b.jpg"))
    said = replace(photo({}), parts=parts).remarks
    assert [remark.split()[0] for remark in said[1:]] == ["a.jpg", "b.jpg"]


def test_all_say_the_same() -> None:
    seen = replace(
        photo({**claims_of(red=40, blue=5), LONE.id: "green"}), uncounted={LONE.id: "black"}
    )
    said = seen.remarks
    assert len(said) == 4
    text = to_text(seen)
    assert [line[8:] for line in text.splitlines() if line.startswith("  note: ")] == list(said)
    assert seen.as_json()["notes"] == list(said)


def test_a_marker_that_stands_elsewhere() -> None:
    seen = photo({LONE.id: "red"})
    markers = {"red": MarkerReading(8), "blue": MarkerReading(None, Sentence("it is not seen"))}
    (_, said) = replace(seen, markers=markers).remarks
    assert said.startswith("red's marker stands at 8, but its routes are worth 15:")
    assert replace(seen, markers={"red": MarkerReading(15)}).remarks == (NOTE,)
    line = replace(seen, markers=markers).as_json()
    assert line["markers"] == {
        "red": {"at": 8, "why": None},
        "blue": {"at": None, "why": "it is not seen"},
    }
