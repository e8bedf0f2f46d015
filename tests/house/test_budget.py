"""The project grows only where somebody says what came for it."""

from house.budget import allowed, excesses, lowered, today

TEXT = "# all\n[scoring]\nlines = 90\nfiles = 9  # dice came\n"


def test_nothing_is_larger_than_it_may_be() -> None:
    """Take something out; or raise the number in budget.toml and say beside it what came."""
    assert excesses(today(), allowed()) == []


def test_an_excess_is_told_with_its_folder_and_by_how_much() -> None:
    most = {"scoring": {"lines": 90, "files": 9}, "gone": {"lines": 5}}
    now = {"scoring": {"lines": 92, "files": 9}, "tests": {"lines": 1}}
    said = ["gone: not in both", "scoring: 2 lines too many", "tests: not in both"]
    assert excesses(now, most) == said
    assert excesses({"scoring": {"lines": 1, "files": 9}}, {"scoring": {"lines": 1}}) == [
        "scoring: 9 files too many"
    ]


def test_a_budget_is_lowered_and_never_raised() -> None:
    now = {"scoring": {"lines": 80, "files": 12}}
    assert lowered(TEXT, now) == TEXT.replace("90", "80")
