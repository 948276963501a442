"""Any service that speaks chat completions as a judge: one POST a verdict, in the manner that its probe found."""

from __future__ import annotations

import asyncio

import httpx2

from agent_tui.errors import NotPossible
from agent_tui.providers import rungs
from agent_tui.providers.chat_errors import refused_in_chat
from agent_tui.providers.chat_probe import find_manner
from agent_tui.providers.chat_reply import read_completion
from agent_tui.providers.chat_request import body_of
from agent_tui.providers.contract import Failure, Identity, Limits, Outcome, Request
from agent_tui.providers.endpoint import UNPROXIED
from agent_tui.providers.families import family_of
from agent_tui.providers.http_errors import broken
from agent_tui.providers.openai_access import Access, read_access
from agent_tui.providers.rungs import MAX_COMPLETION_TOKENS, MAX_TOKENS, Manner
from agent_tui.safety.limits import MIB

_CONNECT_SECONDS = 5.0
_MOST_BYTES = 16 * MIB
_TOO_LONG = Failure(kind="malformed", reason=f"a response of more than {_MOST_BYTES // MIB} MiB")


def open_openai(model: str, *, insecure: bool = False) -> OpenAICompat | Failure:
    """The service that the environment names, with one model; a failure where it names none. Nothing is sent."""
    try:
        return OpenAICompat(read_access(insecure=insecure), model)
    except NotPossible as error:
        return Failure(kind="not_configured", reason=str(error))


class OpenAICompat:
    """The provider `openai` with one model of one service."""

    needs_consent = True

    def __init__(self, access: Access, model: str) -> None:
        self.host = access.endpoint.host
        self.concurrency = 1 if access.endpoint.host_class == "loopback" else 4
        self.notices: list[str] = []
        """What the user should know, a line each."""
        self._access = access
        self._asked_for = model
        self._manner: Manner | None = None
        self._client = httpx2.AsyncClient(
            headers=access.headers,
            follow_redirects=False,
            mounts=dict.fromkeys(UNPROXIED),
            # reading the certificates takes 70 ms, and nothing that goes to this machine unencrypted needs them
            verify=access.endpoint.encrypted or access.endpoint.host_class != "loopback",
        )

    @property
    def model(self) -> str:
        """The name under which the model is asked."""
        return self._manner.model if self._manner else self._asked_for

    @property
    def name(self) -> str:
        """Provider and model, for people."""
        return f"openai {self.model}"

    @property
    def family(self) -> str | None:
        """The maker's family of the model."""
        return family_of(self.model)

    async def probe(self) -> Identity | Failure:
        """Who would answer and in which manner: remembered, or found by a fixed item of our own."""
        found = self._manner or rungs.remembered(self._access.endpoint.digest, self._asked_for) or await self._found()
        if isinstance(found, Failure):
            return found
        self._take(found)
        endpoint = self._access.endpoint
        return Identity(
            provider="openai",
            endpoint=endpoint.digest,
            host_class=endpoint.host_class,
            model=found.model,
            rung=found.rung,
            effort="default",
            version=f"httpx2 {httpx2.__version__}, chat completions {self._access.api_version}".strip(),
        )

    async def ask(self, request: Request, limits: Limits) -> Outcome:
        """Post one request once."""
        outcome = await self._ask(request, self._manner or Manner(request.model), limits)
        if isinstance(outcome, Failure) and outcome.kind == "bad_request":
            rungs.forget(self._access.endpoint.digest, self._asked_for)
        return outcome

    async def count_tokens(self, request: Request) -> int | None:
        """None: there is no such call."""
        return None

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.aclose()

    async def _found(self) -> Manner | Failure:
        bounds = (MAX_TOKENS, MAX_COMPLETION_TOKENS)
        if self._access.endpoint.host_class == "vendor":
            bounds = bounds[::-1]
        found = await find_manner(self._asked_for, bounds, lambda request, manner: self._ask(request, manner, Limits()))
        if isinstance(found, Manner):
            rungs.remember(self._access.endpoint.digest, self._asked_for, found)
        return found

    def _take(self, found: Manner) -> None:
        if self._manner is None and found.model != self._asked_for:
            self.notices.append(f"{self._asked_for} stands for {found.model}")
        self._manner = found

    async def _ask(self, request: Request, manner: Manner, limits: Limits) -> Outcome:
        try:
            body = body_of(request, manner)
        except UnicodeEncodeError:
            return Failure(kind="bad_request", reason="the request holds half a character (a lone surrogate)")
        try:
            async with asyncio.timeout(limits.timeout):
                return await self._post(body, httpx2.Timeout(limits.timeout, connect=_CONNECT_SECONDS))
        except (httpx2.HTTPError, TimeoutError) as error:
            return broken(error)

    async def _post(self, body: bytes, timeout: httpx2.Timeout) -> Outcome:
        headers = {"content-type": "application/json", "accept": "application/json"}
        call = self._client.stream("POST", self._access.url, content=body, headers=headers, timeout=timeout)
        async with call as response:
            said = await _whole(response)
        if said is None:
            return _TOO_LONG
        secrets = (self._access.key,) if self._access.key else ()
        if response.is_success:
            return read_completion(said, secrets)
        return refused_in_chat(response.status_code, response.headers, said, secrets)


async def _whole(response: httpx2.Response) -> bytes | None:
    """The body of a response; None where it is longer than any reply."""
    parts, size = [], 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > _MOST_BYTES:
            return None
    return b"".join(parts)
