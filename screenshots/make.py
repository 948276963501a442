"""Make the pictures of the README from the samples: SVG by the app itself, PNG by a headless Chromium.

    .venv/bin/python screenshots/make.py            SVG only, unless a `chromium` is on the PATH

Each picture is what the screen shows after the keys named here; nothing in it depends on the machine.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from agent_tui.tui.app import AgentTui
from agent_tui.tui.loader import Opening
from agent_tui.tui.terminal import Terminal

HERE = Path(__file__).resolve().parent
SIZES = ((140, 50), (80, 24))
TERMINAL = Terminal(utf8=True, colours="truecolor", remote=False, dumb=False, erases=True)


@dataclass(frozen=True)
class Picture:
    """A name, the sample, and the keys that lead to it."""

    name: str
    sample: str
    keys: tuple[str, ...] = ()
    theme: str = "agent-dark"
    judge: str = ""
    """The scripted judge to ask."""
    rest: float = 0.3
    """Seconds after each key: a judge and labels are loaded and asked in threads."""


PICTURES = (
    Picture("main", "cybertravels.json", ("j",)),
    Picture("toggle", "cybertravels.json", ("j", "m", "4")),
    Picture("flip", "cybertravels.json", ("j", "enter", "e", "0", "enter")),
    Picture("mutate", "cybertravels.json", ("X",)),
    Picture("provenance", "cybertravels.json", ("p",)),
    Picture("docent", "docent.json", ("end",)),
    Picture("inspect", "travel-inspect.eval", ("j", "3")),
    Picture("chat", "travel-chat.jsonl", ("j",)),
    Picture("judge-estimate", "refund-desk.json", ("J",), judge="lenient", rest=2),
    Picture("judge", "refund-desk.json", ("J", "enter"), judge="lenient", rest=2),
    Picture("verdicts", "refund-desk.json", ("J", "enter", "v", "enter"), judge="honest", rest=2),
    Picture("label", "refund-desk.json", ("G", "l"), rest=2),
    Picture("help", "cybertravels.json", ("question_mark",)),
    Picture("light", "cybertravels.json", ("j",), "agent-light"),
    Picture("contrast", "cybertravels.json", ("j",), "agent-contrast"),
    Picture("16-colours", "cybertravels.json", ("j",), "agent-16"),
)


async def draw(picture: Picture, size: tuple[int, int]) -> str:
    """The picture as SVG text; every one begins with nothing remembered."""
    sample = Path("sample_runs") / picture.sample
    app = AgentTui(Opening((str(sample),)), terminal=TERMINAL, theme=picture.theme)
    async with app.run_test(size=size) as pilot:
        await app.is_loaded.wait()
        await pilot.pause()
        for key in picture.keys:
            await pilot.press(key)
            await pilot.pause(picture.rest)
        svg = app.export_screenshot(title="agent-tui")
    return re.sub(r"terminal-\d+", "terminal", svg)


def photograph(svg: Path) -> None:
    """A PNG beside an SVG, where there is a browser that draws it right."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        return
    width, height = (float(value) for value in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.read_text())[0])
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={profile}", f"--window-size={int(width)},{int(height)}"]
        subprocess.run(
            [*command, f"--screenshot={svg.with_suffix('.png')}", svg.as_uri()], check=True, capture_output=True
        )


def main() -> None:
    """Every picture at every size."""
    for picture in PICTURES:
        for width, height in SIZES:
            svg = HERE / f"{picture.name}-{width}x{height}.svg"
            with tempfile.TemporaryDirectory() as state:
                os.environ["AGENT_TUI_STATE_DIR"] = state
                os.environ["AGENT_TUI_JUDGE_PROVIDER"] = f"scripted:{picture.judge}"
                svg.write_text(asyncio.run(draw(picture, (width, height))))
            photograph(svg)
            print(svg.name)  # noqa: T201 - it says what it made


if __name__ == "__main__":
    main()
