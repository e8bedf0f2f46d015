"""A whole evening in a real browser, and what it costs. `python benchmarks/evening.py FOLDER`.

The real program on this computer, the phones of four people and of a guest, and phones as cameras
whose pictures are of a drawn board. Four players of whom one has no phone set a game up, play it,
lose the camera, have the program killed, and count it; a demo is shown; others play the second
game, with another camera put in, a guest who tries everything, a photo scored meanwhile and a
program killed while tickets are shown; the third is played again by the same people; a fourth is
filmed, and its film ends before it. Printed are Markdown tables: taps on each phone, seconds and
phases of each step, beside what was known of it before, and taps from the code to a begun game and
from the end to the winner. Screenshots of each step go into the folder. Fingers wait for the
program alone, so seconds are the program's. Needs Chromium.
"""

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.extend(
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "tests/support")
)

import drawn
from browser_driver import chromium, started_driver
from railspotter.scoring.board import load_board
from railspotter.table.home import ProfileStore

from browsers import beginning, ending, guest, playing, troubles, visits
from browsers.phones import Phones
from browsers.program import Program
from browsers.step_recorder import LOOKS, StepRecorder

LOCALES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}
CLAIMS = (
    ("helena--seattle", "red"),
    ("portland--san-francisco--0", "blue"),
    ("denver--kansas-city--0", "green"),
    ("atlanta--nashville", "yellow"),
)
LATER_CLAIM = ("chicago--pittsburgh--0", "red")
OTHER_CLAIMS = (
    ("helena--seattle", "blue"),
    ("denver--kansas-city--0", "black"),
    ("atlanta--nashville", "red"),
    ("chicago--pittsburgh--0", "blue"),
)
THIRD_CLAIM = ("portland--san-francisco--0", "black")
FILMED_CLAIMS = (("helena--seattle", "red"), ("atlanta--nashville", "blue"))
CLAIM_BY_HAND = ("hous", "houston--new-orleans", "blue")
# What these cost before the table was always on, and what they are to cost.
BEGINNING = {"today": "host 7", "goal": "host 2, 1 a person that differs"}
WINNER = {"today": "host 6, 2 a player", "goal": "host 3, 2 a player"}


def play_first_game(phones: Phones, program: Program) -> None:
    """Play a game of four from its set-up to the result, through a lost camera and a kill."""
    with phones.diary.stretch("first game ever: from the host's link to the begun game"):
        beginning.set_up_game(phones, program)
    with phones.diary.stretch("from the begun game until all are seated and have a ticket"):
        beginning.take_seats(phones)
        beginning.name_player(phones)
        beginning.take_tickets(phones)
        beginning.take_ticket_without_phone(phones)
    phones.screenshot("score")
    for number, (route, colour) in enumerate(CLAIMS):
        playing.claim(phones, route, colour)
        if number == 0:
            phones.screenshot("first-claim")
            phones.screenshot("first-claim-player", phones.bo)
    phones.screenshot("four-claims")
    playing.look_at_board(phones)
    playing.correct_turn(phones)
    playing.answer_question(phones)
    playing.correct_route(phones)
    troubles.bring_camera_back(phones, program)
    troubles.restart_program(phones, program)
    playing.claim(phones, *LATER_CLAIM)
    with phones.diary.stretch("first game: from the end to the winner", **WINNER):
        ending.say_that_it_is_over(phones)
        ending.show_tickets(phones)
        ending.show_tickets_without_phone(phones, "Dan", "yellow")
        ending.see_winner(phones)
    ending.reload_result(phones)
    visits.go_home(phones, is_over=True)


def play_second_game(phones: Phones, program: Program) -> None:
    """Play a game of others, with another camera, a guest, a photo and a kill at its end."""
    phones.film(phones.board.clear())
    phones.sit({"red": phones.host, "blue": phones.bo, "black": phones.dora})
    with phones.diary.stretch("other players: from the first page to the begun game", **BEGINNING):
        visits.begin_with_others(phones, "Cleo", "Dan")
    beginning.take_seats(phones)
    guest.come_in_as_guest(phones, beginning.code(phones))
    beginning.take_tickets(phones)
    playing.claim(phones, *OTHER_CLAIMS[0])
    troubles.put_in_another_camera(phones)
    playing.claim(phones, *OTHER_CLAIMS[1])
    guest.try_everything(phones, program)
    guest.score_photo_meanwhile(phones, program, *OTHER_CLAIMS[2])
    visits.go_home(phones)
    visits.go_on(phones)
    playing.claim(phones, *OTHER_CLAIMS[3])
    with phones.diary.stretch("second game: from the end to the winner, with a kill", **WINNER):
        ending.say_that_it_is_over(phones)
        ending.show_tickets(phones, "red", "blue")
        troubles.restart_program(phones, program)
        ending.show_tickets(phones, "black")
        ending.see_winner(phones)


def play_third_game(phones: Phones) -> None:
    """Play once more with the same people, and count it without anybody's tickets."""
    phones.film(phones.board.clear())
    with phones.diary.stretch("play again: from the winner to the begun game", **BEGINNING):
        ending.play_again(phones)
    playing.claim(phones, *THIRD_CLAIM)
    with phones.diary.stretch("third game: from the end to the winner, no tickets", **WINNER):
        ending.say_that_it_is_over(phones)
        ending.count_without_tickets(phones)
        ending.see_winner(phones)
    visits.go_home(phones, is_over=True)


def play_filmed_game(phones: Phones, program: Program, film: Path) -> None:
    """Play before a film that ends before the game, and go on by hand."""
    phones.film(phones.board.clear())
    phones.board.write_film(film, FILMED_CLAIMS)
    with phones.diary.stretch("a film: from the program's start to the begun game"):
        troubles.begin_film(phones, program, str(film))
    beginning.sit_again(phones)
    troubles.wait_for_end_of_film(phones, *(colour for _, colour in FILMED_CLAIMS))
    playing.claim_by_hand(phones, *CLAIM_BY_HAND)
    with phones.diary.stretch("filmed game: from the end to the winner, no tickets", **WINNER):
        ending.say_that_it_is_over(phones)
        ending.count_without_tickets(phones)
        ending.see_winner(phones)


def main() -> None:
    """Play the evening and print its tables, even if it was not completed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the screenshots go")
    parser.add_argument("--language", choices=LOCALES, default="en", help="what phones speak")
    parser.add_argument(
        "--looks", choices=LOOKS, default="few", help="few: three sizes; all: four, light and dark"
    )
    given = parser.parse_args()
    board, diary = load_board("usa"), StepRecorder(given.folder, LOOKS[given.looks])
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.callback(lambda: print(diary.table()))
        ProfileStore(home).save(drawn.profile())
        program = Program(home)
        stack.callback(program.kill)
        driver = stack.enter_context(started_driver())
        browser = stack.enter_context(chromium(driver))
        phones = Phones(browser, board, diary, LOCALES[given.language])
        play_first_game(phones, program)
        visits.show_demo(phones)
        visits.go_home(phones)
        play_second_game(phones, program)
        play_third_game(phones)
        play_filmed_game(phones, program, home / "film.avi")


if __name__ == "__main__":
    main()
