"""A package's `__init__` is its front door, and its errors are one family."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType

import pytest
from house.project import Module, modules

PACKAGES = [module for module in modules() if module.is_package]
ERRORS = [module for module in modules() if module.path.name == "errors.py"]


def order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, each by the alphabet: as ruff sorts them."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_says_what_it_is(package: Module) -> None:
    docstring = importlib.import_module(package.name).__doc__
    assert docstring
    assert docstring.split("\n\n")[0].rstrip().endswith(".")


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_everything_on_offer_is_there_and_its_own(package: Module) -> None:
    door = importlib.import_module(package.name)
    offered: list[str] = getattr(door, "__all__", [])
    assert offered == sorted(set(offered), key=order)
    for name in offered:
        assert hasattr(door, name), name
        thing = getattr(door, name)
        # A constant or another name for a type does not say where it comes from; a value of another
        # folder is handed on to those who may not know that folder.
        if inspect.isroutine(thing) or (inspect.isclass(thing) and thing.__name__ == name):
            is_own = f"{thing.__module__}.".startswith(f"{package.name}.")
            assert is_own or thing.__module__.split(".")[1] != package.name.split(".")[1], name


def outsiders(errors: ModuleType) -> list[str]:
    """The exceptions of a module that do not descend from its one base, which comes first."""
    own = [
        thing
        for _, thing in inspect.getmembers(errors, inspect.isclass)
        if issubclass(thing, BaseException) and thing.__module__ == errors.__name__
    ]
    bases = [one for one in own if not any(other in one.__mro__[1:] for other in own)]
    base = bases[0] if len(bases) == 1 else None
    return [one.__name__ for one in own if base is None or not issubclass(one, base)]


@pytest.mark.parametrize("module", ERRORS, ids=str)
def test_errors_descend_from_one_base(module: Module) -> None:
    errors = importlib.import_module(module.name)
    assert outsiders(errors) == []
    assert any(inspect.isclass(thing) for thing in vars(errors).values())


def test_an_error_outside_the_family_is_seen() -> None:
    errors = ModuleType("made_up")
    exec(
        "class Base(Exception): ...\n"
        "class Good(Base, ValueError): ...\n"
        "class Stray(ValueError): ...\n",
        vars(errors),
    )
    assert "Stray" in outsiders(errors)
