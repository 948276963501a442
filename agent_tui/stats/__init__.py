"""Numbers only: intervals, trials, means over what can be averaged. Plain Python, no judgement of runs."""

from agent_tui.stats.intervals import (
    FEW_TASKS,
    Z95,
    ClusteredRate,
    clustered,
    clustered_counts,
    clustered_pairs,
    design_effect,
    wilson,
    wilson_effective,
)
from agent_tui.stats.means import Mean, mean_of_usable
from agent_tui.stats.student_t import student_t_cdf, student_t_quantile
from agent_tui.stats.trials import Trials, TrialValue, pass_at, pass_hat, trials, trials_of_pairs

__all__ = [
    "FEW_TASKS",
    "Z95",
    "ClusteredRate",
    "Mean",
    "TrialValue",
    "Trials",
    "clustered",
    "clustered_counts",
    "clustered_pairs",
    "design_effect",
    "mean_of_usable",
    "pass_at",
    "pass_hat",
    "student_t_cdf",
    "student_t_quantile",
    "trials",
    "trials_of_pairs",
    "wilson",
    "wilson_effective",
]
