"""What the vendor's service says of one of its models: its full name, what it can do, when it ends."""

from __future__ import annotations

from datetime import datetime

import msgspec
from anthropic.resources.messages import DEPRECATED_MODELS
from anthropic.types import ModelInfo
from msgspec import Struct

from agent_tui.providers.contract import Failure

_STRANGE = Failure(kind="malformed", reason="what the service says of the model is of no known form (a proxy's page?)")


class Capability(Struct, frozen=True):
    """Whether a model can do something; what is not denied is tried."""

    supported: bool = True


class Capabilities(Struct, frozen=True):
    """What our asks need."""

    effort: Capability = Capability()
    structured_outputs: Capability = Capability()


class ListedModel(Struct, frozen=True):
    """A model as the service lists it."""

    id: str
    capabilities: Capabilities = Capabilities()
    lifecycle: str = "active"
    retires_at: datetime | None = None


def read_model(answered: object) -> ListedModel | Failure:
    """What the SDK returned for a model: it does not check what it was sent."""
    if not isinstance(answered, ModelInfo):
        return _STRANGE
    try:
        return msgspec.convert(answered.model_dump(warnings=False, exclude_none=True), ListedModel)
    except (msgspec.ValidationError, ValueError):
        return _STRANGE


def end_of(model: str, listed: ListedModel | None) -> str | None:
    """When a deprecated model ends, in words; None for one that is not."""
    if model in DEPRECATED_MODELS:
        return DEPRECATED_MODELS[model]
    if listed is None or listed.lifecycle == "active":
        return None
    return f"{listed.retires_at:%d %B %Y}" if listed.retires_at else "not told"
