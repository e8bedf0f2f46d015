"""The check that guards every test, seen to fail."""

import os
import threading
from pathlib import Path

import pytest
from house.surroundings import Surroundings


def test_nothing_changed() -> None:
    assert Surroundings.now().changes(patience_s=0) == []


def test_a_thread_that_runs_on() -> None:
    before, stop = Surroundings.now(), threading.Event()
    thread = threading.Thread(target=stop.wait, name="forgotten", daemon=True)
    thread.start()
    try:
        assert before.changes(patience_s=0.01) == ["the thread 'forgotten' is running"]
    finally:
        stop.set()
        thread.join()


def test_a_thread_that_is_about_to_end() -> None:
    before, stop = Surroundings.now(), threading.Event()
    threading.Thread(target=stop.wait, args=(0.05,)).start()
    assert before.changes(patience_s=5) == []


def test_another_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Surroundings.now()
    monkeypatch.chdir(tmp_path)
    assert before.changes(patience_s=0) == [f"the current directory is {str(tmp_path)!r}"]


def test_another_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Surroundings.now()
    monkeypatch.setenv("RAILSPOTTER_TEST", "1")
    assert before.changes(patience_s=0) == ["the environment's RAILSPOTTER_TEST is '1'"]


def test_the_home_is_empty_and_not_the_users(home: Path) -> None:
    assert os.environ["RAILSPOTTER_HOME"] == str(home)
    assert list(home.iterdir()) == []


def test_without_a_home_it_is_not_the_users_either(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assert Path(os.environ["RAILSPOTTER_HOME"]).is_relative_to(tmp_path_factory.getbasetemp())
