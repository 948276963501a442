"""How long the large inputs take: first rows, all rows, another measure, a search, a whole trajectory; and memory.

    python benchmarks/large.py                   makes wide.json, deep.jsonl and fat.jsonl in a temporary folder
    python benchmarks/large.py FILE...           measures files that are there

Each file is measured in a process of its own. Beside every time stands its ratio to parsing the same bytes with
`json` in the same process, since that moves with the machine; beside the memory its ratio to the size of the file.
Wall seconds, without a screen: what a screen adds is measured elsewhere.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

from agent_tui.bundles import Bundle, ScoredRun, add, require_runs, scored
from agent_tui.bundles.query import kept_rows
from agent_tui.bundles.search import search
from agent_tui.errors import AgentTuiError
from agent_tui.readers import read
from agent_tui.scoring import Tally

MAKE_INPUT = Path(__file__).parent.parent / "tests" / "cases" / "24-large-inputs" / "make_input.py"
NEEDLE = "needle-19876"
FIRST_ROWS = 50


def seconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def parse_only(path: Path) -> None:
    """The bytes of a file parsed and thrown away: a document, or a line at a time."""
    text = path.read_bytes()
    for part in text.splitlines() if path.suffix == ".jsonl" else [text]:
        json.loads(part)


def load(path: Path) -> tuple[Bundle, float, float]:
    """The bundle, seconds to its first rows (or to all, where there are fewer), and seconds to all."""
    bundle, started, first = Bundle(), perf_counter(), 0.0
    for fact in scored(read([str(path)])):
        add(bundle, fact)
        if isinstance(fact, ScoredRun) and len(bundle) <= FIRST_ROWS:
            first = perf_counter() - started
    require_runs(bundle, [str(path)])
    return bundle, first, perf_counter() - started


def measure(path: Path) -> Iterator[str]:
    """One file, a figure a line."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bundle, first, everything = load(path)
    times = {
        f"first {min(FIRST_ROWS, len(bundle))} rows": first,
        f"all {len(bundle):,} rows": everything,
        "scorecard": seconds(bundle.scorecard),
        "another measure, filtered": seconds(
            lambda: (bundle.scorecard("name_only"), kept_rows(bundle, "verdict = fail", "name_only"))
        ),
        f"steps of row 1 ({len(bundle.steps(0)):,})": seconds(lambda: bundle.steps(0)),
        f"search {NEEDLE} ({len(list(search(bundle, NEEDLE)))} hits)": seconds(lambda: list(search(bundle, NEEDLE))),
    }
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    size, parsing = path.stat().st_size, seconds(lambda: parse_only(path))
    yield f"{path.name}  {size / 1e6:.1f} MB, json alone {parsing:.3f} s"
    for name, took in times.items():
        yield f"  {name:<40} {took:8.3f} s  {took / parsing:6.2f} x json"
    yield f"  {'memory over the start':<40} {peak / 1e6:8.0f} MB {peak / size:6.2f} x file"
    yield from (f"  {name:<40} {tally.passed:,}/{tally.scored:,}" for name, tally in passing(bundle))


def passing(bundle: Bundle) -> Iterator[tuple[str, Tally]]:
    """The tallies that hold anything."""
    return ((name, tally) for name, tally in bundle.scorecard().tallies.items() if tally.scored)


def measure_apart(paths: list[Path]) -> None:
    """Each file in a process of its own, so that its peak of memory is its own."""
    for path in paths:
        subprocess.run([sys.executable, __file__, "--here", str(path)], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--here", action="store_true", help="measure in this process")
    options = parser.parse_args()
    if options.here:
        for path in options.files:
            try:
                sys.stdout.writelines(f"{line}\n" for line in measure(path))
            except AgentTuiError as error:
                sys.stdout.write(f"{path.name}  cannot be read: {error}\n")
    elif options.files:
        measure_apart(options.files)
    else:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, str(MAKE_INPUT), folder], check=True)
            measure_apart(sorted(Path(folder).iterdir()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
