"""Rows come in the order of their texts, with numpy and without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.bundles import masks
from agent_tui.bundles.orders import Orders
from agent_tui.bundles.text_order import in_text_order
from agent_tui.scoring.columns import Texts

TEXTS = st.lists(
    st.text(st.characters(), max_size=14) | st.sampled_from(["", "a", "a\0", "run-1", "run-10", "é", "\ud800", "😀"])
)


@pytest.fixture(params=[True, False], ids=["numpy", "plain"], autouse=True)
def _numpy(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param:
        masks.load_numpy()
    yield
    masks.forget_numpy()


def column(texts: list[str]) -> Texts:
    made = Texts()
    for text in texts:
        made.append(text)
    return made


@given(texts=TEXTS, descending=st.booleans(), data=st.data())
def test_rows_are_ordered_as_python_orders_their_texts(texts: list[str], descending: bool, data: st.DataObject) -> None:
    rows = data.draw(st.permutations(range(len(texts))).map(lambda rows: rows[: len(rows) // 2 + 1]))
    wanted = sorted(rows, key=texts.__getitem__, reverse=descending)
    assert list(in_text_order(column(texts), rows, descending=descending)) == wanted


def test_long_texts_are_ordered_too() -> None:
    texts = ["x" * 50 + "b", "x" * 50 + "a", "x" * 39]
    assert list(in_text_order(column(texts), range(3), descending=False)) == [2, 1, 0]


def test_equal_texts_stay_as_they_stand_in_both_directions() -> None:
    texts = column(["b", "a", "b", "a"])
    assert list(in_text_order(texts, range(4), descending=False)) == [1, 3, 0, 2]
    assert list(in_text_order(texts, range(4), descending=True)) == [0, 2, 1, 3]


def test_a_column_that_was_put_in_order_before_gives_the_same_rows() -> None:
    texts = column(["b", "a", "run-10", "run-2", "é"])
    orders = Orders()
    orders.prepare(texts)
    assert list(orders.rows(texts, [4, 3, 2, 0], descending=False)) == [0, 2, 3, 4]
    assert list(orders.rows(texts, [4, 3, 2, 0], descending=True)) == [4, 3, 2, 0]
    texts.append("aa")
    assert list(orders.rows(texts, range(6), descending=False)) == [1, 5, 0, 2, 3, 4]


def test_the_order_of_many_texts_is_kept_until_they_grow() -> None:
    words: list[str | None] = [f"task-{number:04}" for number in range(2000)]
    orders = Orders()
    ranks = orders.ranks(words)
    assert orders.ranks(words) is ranks
    words.append("a")
    assert list(orders.ranks(words)) == [*range(1, 2001), 0]
