"""What tests of the judge leave open is closed behind each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.judge.judged import OPENED


@pytest.fixture(autouse=True)
def closed_ledgers() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().close()
