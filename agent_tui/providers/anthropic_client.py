"""The vendor's SDK, set up so that it does one call and no more, and its errors as failures."""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

import anthropic
import httpx2
from anthropic.lib.credentials import WorkloadIdentityError

from agent_tui.errors import NotPossible
from agent_tui.providers import anthropic_access as access
from agent_tui.providers.contract import Failure
from agent_tui.providers.endpoint import UNPROXIED, Endpoint, read_endpoint
from agent_tui.providers.http_errors import broken, not_a_reply, refused
from agent_tui.providers.redaction import in_words

CONNECT_SECONDS = 5.0
_Answer = TypeVar("_Answer")
_NO_CREDENTIAL = (
    f"no credential: set {access.API_KEY} or {access.AUTH_TOKEN}, or use a profile of the vendor's own tool"
)


@dataclass(frozen=True)
class Connection:
    """A client that is ready to ask."""

    client: anthropic.AsyncAnthropic = field(repr=False)
    endpoint: Endpoint
    secrets: tuple[str, ...] = field(repr=False)
    notices: tuple[str, ...] = ()
    """What the user should know of how it was set up, a line each."""

    async def attempt(self, call: Awaitable[_Answer], seconds: float) -> _Answer | Failure:
        """What one call of the SDK returns, or why it returned nothing; only a cancellation passes."""
        try:
            async with asyncio.timeout(seconds):
                return await call
        except anthropic.AnthropicError as error:
            return _failure(error, self.secrets)
        except (httpx2.TransportError, TimeoutError) as error:
            return broken(error)
        except UnicodeEncodeError:
            return Failure(kind="bad_request", reason="the request holds half a character (a lone surrogate)")
        except Exception:  # the SDK takes what was sent unchecked, so that anything may come of a strange shape
            return not_a_reply("something that the SDK cannot read")


def connect(base_url: str | None = None, *, insecure: bool = False) -> Connection | Failure:
    """A client for the environment's credential; nothing is sent. `insecure` lets a key travel over plain http."""
    source = access.credential_source()
    if source is None:
        return Failure(kind="not_configured", reason=_NO_CREDENTIAL)
    # what it says stands in the provider's `notices`, where it can be seen
    warnings.filterwarnings("ignore", "The model '.*' is deprecated", DeprecationWarning)
    try:
        return _connection(source, base_url, insecure)
    except anthropic.AnthropicError as error:
        return Failure(kind="not_configured", reason=f"{source}: {in_words(str(error), access.secrets())}")
    except NotPossible as error:
        return Failure(kind="not_configured", reason=str(error))


def _connection(source: str, base_url: str | None, insecure: bool) -> Connection:
    named = base_url or os.environ.get(access.BASE_URL) or None
    place = "base URL" if base_url else access.BASE_URL if named else source
    client = _client(source, read_endpoint(access.without_version(named), place).url if named else None)
    written = named or str(client.base_url)  # the profile's, else the vendor's own
    endpoint = read_endpoint(access.without_version(written), place)
    if not endpoint.may_carry_key(insecure):
        raise NotPossible(f"{place}: the key would travel unencrypted; use https, or allow it explicitly")
    if not named:
        client = client.copy(base_url=endpoint.url)
    cut = access.without_version(written) != written.rstrip("/")
    said = (access.shadowed_credential(), f"{place}: /v1 is left out, since it is added by itself" if cut else None)
    return Connection(client, endpoint, access.secrets(), tuple(line for line in said if line))


def _client(source: str, base_url: str | None) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(
        api_key=os.environ[access.API_KEY] if source == access.API_KEY else None,
        auth_token=os.environ[access.AUTH_TOKEN] if source == access.AUTH_TOKEN else None,
        base_url=base_url,
        max_retries=0,
        open_telemetry=False,
        http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False, mounts=dict.fromkeys(UNPROXIED)),
    )


def _failure(error: anthropic.AnthropicError, secrets: Iterable[str]) -> Failure:
    if isinstance(error, anthropic.APIStatusError):
        return refused(
            error.status_code,
            error.response.headers,
            type=_word(error.type),
            code=error.error_code,
            message=_word(error.api_message),
            secrets=secrets,
        )
    if isinstance(error, anthropic.APIConnectionError):
        return broken(error.__cause__)
    if isinstance(error, anthropic.CredentialsError | WorkloadIdentityError):
        return Failure(kind="auth", reason=in_words(str(error), secrets))
    return not_a_reply("something that the SDK cannot read")


def _word(value: object) -> str | None:
    """The SDK does not check what it was sent."""
    return value if isinstance(value, str) else None
