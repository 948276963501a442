"""Who judges, from the identity that the ledger keeps: a replay so names the same judge as the run that it replays."""

from __future__ import annotations

from agent_tui.judge.asks import Asker
from agent_tui.judge.validation import Judge
from agent_tui.providers.contract import Identity
from agent_tui.providers.families import family_of


def judge_of(asker: Asker, answered: str) -> Judge:
    """The judge as it is named wherever a verdict is."""
    identity, rubric = asker.identity, asker.rubric
    return Judge(
        name=judge_name(identity),
        provider=identity.provider,
        model=identity.model,
        answered=answered,
        family=None if identity.provider == "scripted" else family_of(identity.model),
        host_class=identity.host_class,
        rung=identity.rung,
        rubric=rubric.title,
        rubric_digest=rubric.digest,
        sees=rubric.sees,
    )


def judge_name(identity: Identity) -> str:
    """For people: `anthropic claude-haiku-5-5`, `scripted: lenient (no model)`."""
    if identity.provider == "scripted":
        return f"scripted: {identity.model} (no model)"
    return f"{identity.provider} {identity.model}"
