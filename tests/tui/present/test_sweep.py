"""What the sweep's screen says, without a screen."""

from __future__ import annotations

import pytest

from agent_tui.bundles import Bundle, load
from agent_tui.bundles.sweeping import sweep_rows
from agent_tui.scoring.mutations import MUTATIONS
from agent_tui.scoring.sweep import Sweep
from agent_tui.tui.present.sweep import behind_line, cell_line, facts_line, sweep_matrix, word_lines
from agent_tui.tui.theme import ASCII, UNICODE
from agent_tui.tui.widgets.paint import plain
from tests.writing import CYBERTRAVELS, DOCENT


def swept(path: str) -> tuple[Bundle, Sweep]:
    bundle, sweep = load([path]), Sweep()
    for _ in sweep_rows(bundle, sweep):
        pass
    return bundle, sweep


def cell(sweep: Sweep, mutation: str, measure: str, ascii: bool = False) -> str:
    shown = sweep_matrix(sweep, ASCII if ascii else UNICODE)
    row, column = shown.place(mutation, measure)
    return plain(shown.matrix.cells[row][column])


def test_only_measures_that_judge_have_a_column() -> None:
    _, sweep = swept(CYBERTRAVELS)
    shown = sweep_matrix(sweep, UNICODE)
    assert shown.measures[:3] == ["exact", "exact_groups", "name_only"]
    assert not {"required_tools", "forbidden_tools"} & set(shown.measures)
    assert shown.matrix.heads[:4] == ["exact", "ex-groups", "name-only", "order-ign."]
    assert " ".join(plain(label).split()[-1] for label in shown.matrix.labels) == "13 10 10 6 4 10 10 4 5"
    assert list(shown.mutations) == list(MUTATIONS)


def test_a_cell_says_by_shade_and_number_how_much_was_noticed() -> None:
    _, sweep = swept(CYBERTRAVELS)
    assert cell(sweep, "wrong_argument", "exact") == "██ 5/5"
    assert cell(sweep, "wrong_argument", "name_only") == "░░░░░ 0/8"
    assert cell(sweep, "wrong_argument", "output") == "—"
    _, docent = swept(DOCENT)
    assert cell(docent, "negated_answer", "output") == "▓▓ 6/8"
    assert cell(docent, "swapped_calls", "trajectory_quality").split() == ["·", "0/0"]


def test_ascii_has_shades_of_its_own() -> None:
    _, sweep = swept(CYBERTRAVELS)
    texts = {cell(sweep, "wrong_argument", measure, ascii=True) for measure in ("exact", "name_only", "output")}
    assert texts == {"## 5/5", "????? 0/8", "-"}


def test_the_cell_under_the_cursor_is_told_with_what_stands_behind_it() -> None:
    bundle, sweep = swept(CYBERTRAVELS)
    told = cell_line(sweep, "swapped_calls", "order_ignored").plain
    assert told == " order-ignored, swapped calls: noticed 0 of 2, 2 failed before, 4 made"
    assert behind_line(bundle, sweep, "swapped_calls", "order_ignored").plain == " missed: R1 calls[0], R4 calls[0]"
    assert behind_line(bundle, sweep, "negated_answer", "output").plain == " noticed: R1 answer, R3 answer"
    assert cell_line(sweep, "swapped_calls", "output").plain.endswith("does not read what is changed")
    assert behind_line(bundle, sweep, "swapped_calls", "output").plain == " no run stands behind this cell"
    assert cell_line(sweep, "swapped_calls", "required_tools").plain.endswith("knew nothing of these runs")


def test_many_mutants_behind_a_cell_are_counted() -> None:
    bundle, sweep = swept(CYBERTRAVELS)
    assert behind_line(bundle, sweep, "wrong_argument", "redundancy").plain.endswith(" and 1 more")


@pytest.mark.parametrize("width", [40, 78, 138])
def test_words_fit_the_width_and_hold_every_blind_spot(width: int) -> None:
    _, sweep = swept(CYBERTRAVELS)
    lines = [line.plain for line in word_lines(sweep, width, done=True)]
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    assert "in words Quote exact: it noticed all 25 changes" in text
    assert "name-only: wrong argument 0 of 8" in text
    assert "any-order: duplicated call 0 of 6, extra call 0 of 4, swapped calls 0 of 2, retried call 0 of 6" in text


def test_nothing_is_quoted_before_the_end() -> None:
    bundle, sweep = load([CYBERTRAVELS]), Sweep()
    assert [line.plain for line in word_lines(sweep, 80, done=False)] == [" looking for something to change …"]
    for done in sweep_rows(bundle, sweep):
        if done == 3:
            break
    text = "\n".join(line.plain for line in word_lines(sweep, 80, done=False))
    assert "blind spots so far" in text
    assert "Quote" not in text
    assert "3 of 6 runs so far, Esc stops" in facts_line(bundle, sweep, 120).plain


def test_the_name_gives_way_first() -> None:
    bundle, sweep = swept(CYBERTRAVELS)
    assert facts_line(bundle, sweep, 140).plain.startswith(" CyberTravels workflow agent · seed 0 · 6 runs · noticed")
    assert facts_line(bundle, sweep, 60).plain == " CyberTravels workfl… · seed 0 · 6 runs · noticed / applied"
