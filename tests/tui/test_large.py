"""A large bundle on the screen: through workers and the index, and without one where there is no room."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.workers.building import building_of
from tests.tui.opened import TERMINAL, app_on, call, loaded, made_run, write_large

RUNS = 60


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Few runs that are read through an index."""
    runs = [
        made_run(f"r{number}", [call("a", n=1)], [call("a", n=number % 3)], input=f"ask {number}")
        for number in range(RUNS)
    ]
    return write_large(tmp_path_factory.mktemp("large") / "runs.jsonl", *runs)


async def passed(path: str) -> tuple[int, int, str]:
    """Open, toggle once, change a run; how many runs there are and pass, and what the table shows of the last."""
    app = app_on(path, terminal=TERMINAL)
    async with app.run_test(size=(140, 50)) as pilot:
        await loaded(app)
        await pilot.press("m", "end")
        await pilot.pause()
        session = app.main.session
        shown = "".join(map(str, app.main.runs.rows.cells(len(session) - 1)))
        return len(app.bundle), session.card.tallies["exact"].passed, shown


async def test_a_large_bundle_is_shown_and_the_second_time_from_its_index(large: str) -> None:
    first = await passed(large)
    building = building_of([large])
    assert building is not None
    assert building.view.finished is not None
    assert first == await passed(large)
    assert first[:2] == (RUNS, RUNS // 3)
    assert "ask 59" in first[2]


async def test_a_damaged_index_is_made_again_before_anything_is_shown(large: str) -> None:
    first = await passed(large)
    building = building_of([large])
    assert building is not None
    for name in ("states", "log"):
        file = building.place.folder / name
        whole = file.read_bytes()
        file.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
        assert await passed(large) == first


async def test_without_room_for_an_index_it_is_shown_all_the_same(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGENT_TUI_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert (await passed(large))[:2] == (RUNS, RUNS // 3)
