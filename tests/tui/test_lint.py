"""No text of a run can reach a widget as markup: read from the source of the screen itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TUI = Path(__file__).parents[2] / "agent_tui" / "tui"
SOURCES = sorted(TUI.rglob("*.py"))
STOCK_WIDGETS = {"Input", "Static"}
"""What may be used of `textual.widgets`: the others read text as markup somewhere."""
MARKUP_NAMES = {"border_title", "border_subtitle", "tooltip", "sub_title"}


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield name, node


def _imported(tree: ast.AST, module: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == module:
            yield from (alias.name for alias in node.names)


def _says_no_markup(call: ast.Call) -> bool:
    return any(
        keyword.arg == "markup" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in call.keywords
    )


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(TUI)))
def test_no_widget_that_reads_markup_is_given_text(source: Path) -> None:
    tree = ast.parse(source.read_text())
    found = []
    for name, call in _calls(tree):
        markup = name in {"from_markup", "from_ansi"}
        if markup or (name in {"Static", "notify"} and not _says_no_markup(call)):
            found.append((call.lineno, name))
    assert found == []
    assert set(_imported(tree, "textual.widgets")) <= STOCK_WIDGETS


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(TUI)))
def test_no_title_that_reads_markup_is_set(source: Path) -> None:
    tree = ast.parse(source.read_text())
    targets = [target for node in ast.walk(tree) if isinstance(node, ast.Assign) for target in node.targets]
    assert [node.attr for node in targets if isinstance(node, ast.Attribute) and node.attr in MARKUP_NAMES] == []
    assert [keyword.arg for _, call in _calls(tree) for keyword in call.keywords if keyword.arg in MARKUP_NAMES] == []


FOREIGN = {
    "id",
    "task",
    "input",
    "answer",
    "message",
    "tool",
    "agent",
    "model",
    "role",
    "text",
    "status",
    "limit",
    "reason",
}
"""Attributes whose text comes from a file."""


def _texts_of_foreign(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """`Text(run.task)` and `line.append(run.task)`: foreign text that passes no door."""
    for name, call in _calls(tree):
        if name in {"Text", "append", "assemble"}:
            for argument in call.args[:1]:
                if isinstance(argument, ast.Attribute) and argument.attr in FOREIGN:
                    yield call.lineno, ast.unparse(argument)
                if isinstance(argument, ast.JoinedStr):
                    for part in argument.values:
                        value = part.value if isinstance(part, ast.FormattedValue) else None
                        if isinstance(value, ast.Attribute) and value.attr in FOREIGN:
                            yield call.lineno, ast.unparse(value)


@pytest.mark.parametrize("source", sorted((TUI / "present").glob("*.py")), ids=lambda path: path.name)
def test_foreign_text_passes_a_door(source: Path) -> None:
    assert list(_texts_of_foreign(ast.parse(source.read_text()))) == []
