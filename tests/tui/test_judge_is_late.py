"""Nobody who only looks at runs pays for a judge: its modules come with the first key that asks for one."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.tui.judging import REFUND_DESK

LOADED = """
import asyncio, json, sys
from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Opening

def judging():
    return sorted(name for name in sys.modules if name.startswith(("agent_tui.judge", "agent_tui.providers.choose")))

async def look(key):
    app = AgentTui(Opening((sys.argv[1],)))
    async with app.run_test(size=(120, 40)) as pilot:
        await asyncio.wait_for(app.is_loaded.wait(), 30)
        await pilot.press("j", "p", "escape", "m", "question_mark", "escape")
        before = judging()
        await pilot.press("J")
        while type(app.screen).__name__ != "JudgeScreen":
            await pilot.pause(0.01)
        print(json.dumps([before, judging()]))

asyncio.run(look("J"))
"""


def test_a_judge_is_loaded_with_the_first_key_that_asks_for_one() -> None:
    run = subprocess.run([sys.executable, "-c", LOADED, REFUND_DESK], capture_output=True, text=True, check=True)
    before, after = json.loads(run.stdout.splitlines()[-1])
    assert before == []
    assert "agent_tui.judge.session" in after
