"""What the docstrings promise is run, and nothing public goes without one."""

from __future__ import annotations

import ast
import doctest
import importlib
from collections.abc import Iterator

import pytest
from house.project import Module, modules

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@pytest.mark.parametrize("module", modules(), ids=str)
def test_examples_run(module: Module) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    for example in doctest.DocTestFinder().find(importlib.import_module(module.name)):
        runner.run(example, out=said.append)
    assert not said, "\n" + "".join(said)


def test_there_are_examples() -> None:
    found = [
        example
        for module in modules()
        for test in doctest.DocTestFinder().find(importlib.import_module(module.name))
        for example in test.examples
    ]
    assert len(found) >= 10


def undescribed(source: str) -> Iterator[str]:
    """Yield the public functions, classes and methods that have no docstring.

    Public is what `__all__` names or, without it, what starts with no underscore.
    """
    tree = ast.parse(source)
    offered = _offered(tree)
    for node in tree.body:
        if isinstance(node, Definition):
            is_public = node.name in offered if offered else not node.name.startswith("_")
            if is_public:
                yield from _undescribed_in(node, node.name)


def _offered(tree: ast.Module) -> frozenset[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value))
    return frozenset()


def _undescribed_in(node: Definition, name: str) -> Iterator[str]:
    decorators = {ast.unparse(decorator).split(".")[-1] for decorator in node.decorator_list}
    if ast.get_docstring(node) is None and not decorators & {"overload", "override"}:
        yield name
    if isinstance(node, ast.ClassDef):
        for child in node.body:
            if isinstance(child, Definition) and not child.name.startswith("_"):
                yield from _undescribed_in(child, f"{name}.{child.name}")


@pytest.mark.parametrize("module", modules(), ids=str)
def test_everything_public_is_described(module: Module) -> None:
    source = module.path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(source)), "the module has no docstring"
    assert list(undescribed(source)) == []


def test_a_missing_docstring_is_seen() -> None:
    source = '''
def said():
    """Say it."""
def unsaid(): ...
def _private(): ...
class Thing:
    """A thing."""
    def method(self): ...
    def _private(self): ...
'''
    assert list(undescribed(source)) == ["unsaid", "Thing.method"]
    assert list(undescribed("__all__ = ['said']" + source)) == []
