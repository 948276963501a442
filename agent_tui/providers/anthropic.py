"""The vendor's own interface as a judge, by its SDK: one message a verdict, its form held by a JSON schema."""

from __future__ import annotations

import asyncio

import anthropic
import httpx2
from anthropic.types import MessageTokensCount

from agent_tui.providers.anthropic_client import CONNECT_SECONDS, Connection, connect
from agent_tui.providers.anthropic_messages import message_params, output_config, read_message, token_count
from agent_tui.providers.anthropic_models import ListedModel, end_of, read_model
from agent_tui.providers.anthropic_warm import warm
from agent_tui.providers.contract import Failure, Identity, Limits, Outcome, Request
from agent_tui.providers.families import family_of

_FREE_CALL_SECONDS = 30.0
"""For what costs nothing: models and counting."""


def open_anthropic(
    model: str, *, effort: str = "low", base_url: str | None = None, insecure: bool = False
) -> AnthropicProvider | Failure:
    """The provider with one model; a failure where there is no credential or no usable base URL. Nothing is sent."""
    connection = connect(base_url, insecure=insecure)
    return connection if isinstance(connection, Failure) else AnthropicProvider(connection, model, effort)


class AnthropicProvider:
    """The provider `anthropic` with one model."""

    concurrency = 4
    needs_consent = True

    def __init__(self, connection: Connection, model: str, effort: str = "low") -> None:
        self.connection = connection
        """Where batches are sent too."""
        self.host = connection.endpoint.host
        self.notices = list(connection.notices)
        """What the user should know, a line each."""
        self._model = model
        self._effort = effort

    @property
    def name(self) -> str:
        """Provider and model, for people."""
        return f"anthropic {self._model}"

    @property
    def family(self) -> str | None:
        """The maker's family of the model."""
        return family_of(self._model)

    async def probe(self) -> Identity | Failure:
        """Who would answer: the model's full name, whether it takes a schema, when it ends. Costs nothing."""
        _, listed = await asyncio.gather(asyncio.to_thread(warm), self._listed())
        if isinstance(listed, Failure):
            return listed
        if listed is not None:
            self._take_name(listed.id)
            self._take_effort(listed.capabilities.effort.supported)
            if not listed.capabilities.structured_outputs.supported:
                return Failure(kind="bad_request", reason=f"{self._model} takes no JSON schema: choose another model")
        if end := end_of(self._model, listed):
            self.notices.append(f"{self._model} is deprecated: its end is {end}")
        return self._identity()

    async def ask(self, request: Request, limits: Limits) -> Outcome:
        """Send one message once."""
        timeout = httpx2.Timeout(limits.timeout, connect=CONNECT_SECONDS)
        call = self.connection.client.messages.create(**message_params(request), timeout=timeout)
        answered = await self.connection.attempt(call, limits.timeout)
        return answered if isinstance(answered, Failure) else read_message(answered, self.connection.secrets)

    async def count_tokens(self, request: Request) -> int | None:
        """Input tokens as the service counts them (a count); None where it does not."""
        params = message_params(request)
        call = self.connection.client.messages.count_tokens(
            model=params["model"],
            system=request.system,
            messages=params["messages"],
            output_config=output_config(request),
            timeout=_FREE_CALL_SECONDS,
        )
        counted = await self.connection.attempt(call, _FREE_CALL_SECONDS)
        return token_count(counted.input_tokens) if isinstance(counted, MessageTokensCount) else None

    async def models(self) -> list[str] | Failure:
        """The models that the service offers, for a picker; any other name may be asked for all the same."""
        return await self.connection.attempt(self._model_names(), _FREE_CALL_SECONDS)

    async def close(self) -> None:
        """Let go of connections."""
        await self.connection.client.close()

    async def _model_names(self) -> list[str]:
        listed = [model.id async for model in self.connection.client.models.list(limit=1000)]
        return [name for name in listed if isinstance(name, str)]

    async def _listed(self) -> ListedModel | Failure | None:
        """What the service says of the model; None where it is a gateway that does not list models."""
        call = self.connection.client.models.retrieve(self._model, timeout=_FREE_CALL_SECONDS)
        listed = await self.connection.attempt(call, _FREE_CALL_SECONDS)
        if isinstance(listed, Failure):
            return await self._unlisted(listed) if listed.kind == "not_found" else listed
        return read_model(listed)

    async def _unlisted(self, failure: Failure) -> Failure | None:
        names = await self.models()
        if isinstance(names, Failure) or not names:
            self.notices.append(f"the service lists no models: {self._model} is taken as it is")
            return None
        return Failure(kind="not_found", reason=f"no model {self._model!r}: there are {', '.join(sorted(names))}")

    def _take_name(self, name: str) -> None:
        """An alias answers under the name of a dated model: that is the one to ask for, and to compare with."""
        if name != self._model:
            self.notices.append(f"{self._model} stands for {name}")
            self._model = name

    def _take_effort(self, is_known: bool) -> None:
        if self._effort and not is_known:
            self.notices.append(f"{self._model} knows no effort: it is asked without")
            self._effort = ""

    def _identity(self) -> Identity:
        interface = self.connection.client.default_headers.get("anthropic-version")
        return Identity(
            provider="anthropic",
            endpoint=self.connection.endpoint.digest,
            host_class=self.connection.endpoint.host_class,
            model=self._model,
            effort=self._effort,
            version=f"anthropic {anthropic.__version__}, API {interface}",
        )
