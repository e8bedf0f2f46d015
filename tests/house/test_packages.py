"""A package says what it is and re-exports nothing, and its errors are one family."""

import ast
import importlib
import inspect
from types import ModuleType

from house.project import modules


def test_a_package_says_what_it_is_and_nothing_else() -> None:
    """Imports name the file that has what they want."""
    more = {}
    for module in modules():
        if module.is_package:
            tree = ast.parse(module.path.read_text("utf-8"))
            docstring = ast.get_docstring(tree) or ""
            if len(tree.body) != 1 or not docstring.split("\n\n")[0].endswith("."):
                more[module.name] = [ast.unparse(node) for node in tree.body[1:]]
    assert more == {}


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


def test_errors_descend_from_one_base() -> None:
    errors = [
        importlib.import_module(one.name) for one in modules() if one.path.name == "errors.py"
    ]
    assert {module.__name__: outsiders(module) for module in errors if outsiders(module)} == {}
    for module in errors:
        assert any(inspect.isclass(thing) for thing in vars(module).values()), module


def test_an_error_outside_the_family_is_seen() -> None:
    errors = ModuleType("made_up")
    exec(
        "class Base(Exception): ...\n"
        "class Good(Base, ValueError): ...\n"
        "class Stray(ValueError): ...\n",
        vars(errors),
    )
    assert "Stray" in outsiders(errors)
