"""Where pass^k and pass@k come from: trials, passes and both estimates of every task."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from agent_tui.bundles import Bundle
from agent_tui.reports import figures
from agent_tui.scoring import Scorecard
from agent_tui.scoring.trial_counts import Group, trial_counts
from agent_tui.stats import TrialValue, pass_at, pass_hat
from agent_tui.tui.present.provenance.lines import Many, Part, pair
from agent_tui.tui.present.words import safe

_NAME = 28
"""Characters of a task's name that are shown."""


def of_trials(bundle: Bundle, card: Scorecard, name: str) -> Iterator[Part]:
    """Both formulas, and n, c and both values of every task."""
    k, table = int(name), bundle.table
    if card.trials is None:
        yield pair("number", "not yet known: runs are still read")
        return
    always, once = card.trials["pass_hat"][k], card.trials["pass_at"][k]
    yield pair(f"pass^{k}", _value(always), "number")
    yield pair(f"pass@{k}", _value(once), "number")
    yield pair("formula", f"pass^{k} = C(c, {k}) / C(n, {k}): all of {k} trials pass, drawn without replacement")
    yield pair("", f"pass@{k} = 1 - C(n-c, {k}) / C(n, {k}): at least one of {k} passes")
    yield pair("n, c", "scored trials of a task (by one model and agent), and those whose task success passes")
    yield pair("mean", f"over tasks, not over runs; a task with fewer than {k} trials is n/a and left out")
    yield Text()
    counts = trial_counts(table)
    wide = max([4, *(len(safe(table.tasks.words[task] or "", _NAME)) for task, _, _ in counts)])
    yield Text(f"  {'task':<{wide}}     n     c  pass^{k:<3} pass@{k}", "title")

    def draw(group: Group) -> Text:
        (n, c), who = counts[group], _who(bundle, group)
        line = Text(f"  {safe(table.tasks.words[group[0]] or '', _NAME):<{wide}}", "text")
        line.append(f"  {n:>4}  {c:>4}  ", "text")
        for value in (pass_hat(n, c, k), pass_at(n, c, k)):
            line.append(f"{figures.rate(value):<8}", "unscoreable" if value is None else "number")
        return line.append(who, "label")

    yield Many(list(counts), draw, lambda group: _first_row(bundle, group))


def _value(value: TrialValue) -> str:
    over = f"mean over {value['tasks']:,} of {figures.count(value['of'], 'task')}"
    return f"{figures.rate(value['value'])}, {over}"


def _who(bundle: Bundle, group: Group) -> str:
    """Model and agent, where the bundle has several."""
    table, (_, model, agent) = bundle.table, group
    several = ((table.models.words, model), (table.agents.words, agent))
    return "  ".join(safe(words[code] or "", 40) for words, code in several if len(words) > 1)


def _first_row(bundle: Bundle, group: Group) -> int | None:
    table = bundle.table
    who = zip(table.tasks.codes(), table.models.codes(), table.agents.codes(), strict=True)
    return next((row for row, each in enumerate(who) if each == group), None)
