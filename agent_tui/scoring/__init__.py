"""Verdicts into a scorecard: one path for the screen, the command line and every other place."""

from agent_tui.scoring.grade import Grade, parse_weights
from agent_tui.scoring.plan import Plan, plan_for
from agent_tui.scoring.run_score import LEVELS, MEASURES, RunScore, score_run
from agent_tui.scoring.scorecard import Scorecard, make_scorecard
from agent_tui.scoring.table import ScoreTable
from agent_tui.scoring.tally import Mean, Tally
from agent_tui.scoring.weak_paths import WeakPath

__all__ = [
    "LEVELS",
    "MEASURES",
    "Grade",
    "Mean",
    "Plan",
    "RunScore",
    "ScoreTable",
    "Scorecard",
    "Tally",
    "WeakPath",
    "make_scorecard",
    "parse_weights",
    "plan_for",
    "score_run",
]
