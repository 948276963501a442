"""`mutate`: the detection matrix of a bundle, in words and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.matchers import MATCHERS
from agent_tui.scoring import LEVELS
from tests.cli.conftest import Runs
from tests.writing import CYBERTRAVELS, DOCENT, call, run_of, write_bundle

TRAJECTORY = (
    "wrong_argument", "dropped_call", "duplicated_call", "extra_call", "swapped_calls", "wrong_tool", "retried_call",
)  # fmt: skip
ANSWER = ("changed_number", "negated_answer")
LADDER = ("exact", "exact_groups", "name_only", "order_ignored", "in_order", "any_order", "subset")


def test_the_document_is_as_described(agent_tui: Runs) -> None:
    document = agent_tui("mutate", CYBERTRAVELS, "--json").document
    assert (document["schema"], document["seed"], document["runs"]) == ("agent-tui/mutate-1", 0, 6)
    assert tuple(document["mutations"]) == (*TRAJECTORY, *ANSWER)
    for mutation in document["mutations"].values():
        assert set(mutation) == {"made", *MATCHERS, "output", *LEVELS, "redundancy"}


def test_the_matchers_of_cybertravels_notice_what_they_should(agent_tui: Runs) -> None:
    mutations = agent_tui("mutate", CYBERTRAVELS, "--json").document["mutations"]
    assert mutations["wrong_argument"]["name_only"]["noticed"] == 0
    assert mutations["swapped_calls"]["order_ignored"]["noticed"] == 0
    for name in TRAJECTORY:
        exact = mutations[name]["exact"]
        assert 0 < exact["applied"] == exact["noticed"]
        assert mutations[name]["output"] is None
    for name in ANSWER:
        output = mutations[name]["output"]
        assert 0 < output["applied"] == output["noticed"]
        assert all(mutations[name][matcher] is None for matcher in MATCHERS)


@pytest.mark.parametrize("path", [CYBERTRAVELS, DOCENT])
def test_applied_and_already_failing_are_what_was_made(agent_tui: Runs, path: str) -> None:
    for mutation in agent_tui("mutate", path, "--json").document["mutations"].values():
        made = mutation.pop("made")
        cells = [cell for cell in mutation.values() if cell is not None]
        assert [cell["applied"] + cell["already_failing"] for cell in cells] == [made] * len(cells)
        assert all(cell["not_judged"] == 0 for cell in cells)


def test_a_seed_draws_other_values_and_the_same_ones_again(agent_tui: Runs, tmp_path: Path) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text('{"tools": {"*": {"args": {"n": {"number": {"abs": 1}}}}}}')
    bundle = write_bundle(
        tmp_path / "b.json", *(run_of(f"r{n}", [call("a", n=n)], [call("a", n=n)]) for n in range(50))
    )
    outs = [agent_tui("mutate", bundle, "--rules", str(rules), "--json", "--seed", seed).out for seed in "0011"]
    assert (outs[0], outs[2]) == (outs[1], outs[3])
    assert outs[0].replace('"seed": 0', "") != outs[2].replace('"seed": 1', "")


def test_the_text_has_the_matrix_and_the_blind_spots(agent_tui: Runs) -> None:
    lines = agent_tui("mutate", CYBERTRAVELS).out.splitlines()
    assert lines[0] == "CyberTravels workflow agent  6 runs  seed 0"
    assert max(map(len, lines[3:11])) <= 100
    head, first = lines[3], lines[4]
    assert head.split() == ["made", *LADDER]
    assert first.startswith("wrong argument     13  █ 5/5")
    assert first[head.index("name_only") :].startswith("░ 0/8 ")
    assert "  name_only: wrong argument 0 of 8" in lines
    assert "  order_ignored: swapped calls 0 of 2" in lines
    assert (
        "Quote exact: it noticed all 25 changes made to runs that it passed, and so did exact_groups. "
        "Every other matcher here misses at least one whole kind of change."
    ) in lines
    assert lines[-1] == "had no mutant to judge: required_tools, forbidden_tools"


def test_cells_stand_under_their_heading_in_every_block(agent_tui: Runs) -> None:
    blocks = [block.splitlines() for block in agent_tui("mutate", DOCENT).out.split("\n\n")[1:-2]]
    assert blocks
    for head, *rows in blocks:
        for name in head.split()[1:]:
            at = head.index(name)
            assert {row[at] for row in rows} <= set("█▓▒░·—")
            assert {row[at - 1] for row in rows} == {" "}


def test_no_matcher_is_quoted_where_none_judges(agent_tui: Runs) -> None:
    ran = agent_tui("mutate", DOCENT)
    assert "Quote" not in ran.out
    assert "▓ 6/8" in ran.out


def test_matchers_that_are_all_blind_are_not_quoted(agent_tui: Runs, tmp_path: Path) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text('{"tools": {"*": {"args": {"n": "ignore"}}}}')
    calls = [call("a", n=1), call("b", n=2)]
    bundle = write_bundle(tmp_path / "b.json", run_of("r", calls, calls))
    said = agent_tui("mutate", bundle, "--rules", str(rules)).out.splitlines()
    assert "No matcher here is enough: each misses at least one whole kind of change." in said
    assert any(
        line.startswith("Quote exact: it noticed all 12 ") for line in agent_tui("mutate", bundle).out.split("\n")
    )


def test_a_bundle_with_nothing_to_judge_says_so(agent_tui: Runs, tmp_path: Path) -> None:
    ran = agent_tui("mutate", write_bundle(tmp_path / "b.json", run_of("r", None, [call("a")], answer="5")))
    assert ran.status == 0
    assert ran.out.splitlines()[-1].startswith("nothing to mutate: ")


def test_the_file_is_never_touched(agent_tui: Runs, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes(Path(CYBERTRAVELS).read_bytes())
    assert agent_tui("mutate", str(copy)).status == 0
    assert copy.read_bytes() == Path(CYBERTRAVELS).read_bytes()


def test_hostile_names_are_shown_and_do_not_act(agent_tui: Runs, tmp_path: Path) -> None:
    run = run_of("\x1b[2J", [call("\x1b]0;x\x07", **{"\x9b1m": 1})], [call("\x1b]0;x\x07", **{"\x9b1m": 1})])
    path = write_bundle(tmp_path / "b.json", run, bundle={"name": "\x1b[31mred"})
    ran = agent_tui("mutate", path)
    assert (ran.status, "\x1b" in ran.out, "␛[31mred" in ran.out) == (0, False, True)
    assert "\x1b" not in agent_tui("mutate", path, "--json").out


def test_a_seed_is_a_number_and_a_path_is_needed(agent_tui: Runs) -> None:
    assert agent_tui("mutate", CYBERTRAVELS, "--seed", "x").status == 2
    assert agent_tui("mutate").status == 2
    assert agent_tui("mutate", "nowhere.json").status == 3
