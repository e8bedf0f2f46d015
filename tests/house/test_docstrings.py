"""What the docstrings promise is run, and nothing that others use goes without one."""

import ast
import doctest
import importlib
from collections.abc import Iterator

from house.project import modules

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def test_examples_run() -> None:
    said: list[str] = []
    examples = 0
    runner = doctest.DocTestRunner(verbose=False)
    for module in modules():
        for test in doctest.DocTestFinder().find(importlib.import_module(module.name)):
            examples += len(test.examples)
            runner.run(test, out=said.append)
    assert not said, "\n" + "".join(said)
    assert examples >= 10


def undescribed(source: str) -> Iterator[str]:
    """Yield the public functions, classes and methods that have no docstring."""
    tree = ast.parse(source)
    if ast.get_docstring(tree) is None:
        yield "the module"
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield from _undescribed_in(node, node.name)


def _undescribed_in(node: Definition, name: str) -> Iterator[str]:
    decorators = {ast.unparse(decorator).split(".")[-1] for decorator in node.decorator_list}
    if ast.get_docstring(node) is None and not decorators & {"overload", "override"}:
        yield name
    if isinstance(node, ast.ClassDef):
        for child in node.body:
            if isinstance(child, Definition) and not child.name.startswith("_"):
                yield from _undescribed_in(child, f"{name}.{child.name}")


def test_everything_public_is_described() -> None:
    found = {module.name: list(undescribed(module.path.read_text("utf-8"))) for module in modules()}
    assert {name: missing for name, missing in found.items() if missing} == {}


def test_a_missing_docstring_is_seen() -> None:
    source = '''
"""Things said."""
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
    assert list(undescribed("x = 1")) == ["the module"]
