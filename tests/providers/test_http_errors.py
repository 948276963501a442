"""Every way in which a call over HTTP can go wrong has one kind, and no key in its words."""

from __future__ import annotations

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.providers.contract import FATAL, KINDS, RETRYABLE, UNCERTAIN
from agent_tui.providers.http_errors import broken, failed_in_batch, refused, wait_asked_for
from agent_tui.safety.sanitise import count_controls


@pytest.mark.parametrize(
    ("status", "type", "code", "kind"),
    [
        (400, "invalid_request_error", None, "bad_request"),
        (400, "invalid_request_error", "organization_on_hold", "forbidden"),
        (400, None, "context_length_exceeded", "too_large"),
        (401, "authentication_error", None, "auth"),
        (402, "billing_error", None, "payment"),
        (402, "billing_error", "linked_organization_spend_limit_reached", "quota"),
        (403, "permission_error", None, "forbidden"),
        (404, "not_found_error", None, "not_found"),
        (413, "invalid_request_error", None, "too_large"),
        (429, "rate_limit_error", None, "rate_limited"),
        (429, "rate_limit_error", "ramp_limit_exceeded", "rate_limited"),
        (429, "rate_limit_error", "enforced_spend_limit_reached", "quota"),
        (429, "rate_limit_error", "contract_spend_limit_reached", "quota"),
        (429, "insufficient_quota", "insufficient_quota", "quota"),
        (500, "api_error", None, "overloaded"),
        (502, None, None, "unknown"),
        (503, None, None, "overloaded"),
        (504, "timeout_error", None, "unknown"),
        (529, "overloaded_error", None, "overloaded"),
        (307, None, None, "bad_request"),
    ],
)
def test_the_code_decides_then_the_type_then_the_status(
    status: int, type: str | None, code: str | None, kind: str
) -> None:
    assert refused(status, {}, type=type, code=code).kind == kind


def test_the_words_of_the_service_decide_nothing() -> None:
    assert refused(400, {}, message="rate limit, insufficient_quota, overloaded").kind == "bad_request"


def test_the_service_may_forbid_another_try() -> None:
    failure = refused(529, {"x-should-retry": "false"}, type="overloaded_error")
    assert failure.kind not in RETRYABLE | UNCERTAIN | FATAL
    assert "not to be asked again" in failure.reason


@pytest.mark.parametrize(
    ("status", "kind"), [(400, "overloaded"), (504, "overloaded"), (401, "auth"), (404, "not_found")]
)
def test_the_service_may_ask_for_another_try(status: int, kind: str) -> None:
    assert refused(status, {"x-should-retry": "true"}).kind == kind


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "86400"}, 86400.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:30 GMT", "date": "Sun, 29 Nov 2026 12:00:00 GMT"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:30 GMT"}, 20.0),
        ({"retry-after": "Sun, 29 Nov 2026 11:00:00 GMT"}, 0.0),
    ],
)
def test_the_wait_that_is_asked_for_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    ten_past_noon = 1795953610.0  # 29 Nov 2026 12:00:10 UTC
    assert wait_asked_for(headers, lambda: ten_past_noon) == seconds


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (httpx2.ConnectError("refused"), "connection"),
        (httpx2.ConnectTimeout("slow"), "connection"),
        (httpx2.PoolTimeout("busy"), "connection"),
        (httpx2.WriteError("broken pipe"), "connection"),
        (httpx2.ReadTimeout("slow"), "unknown"),
        (httpx2.ReadError("reset"), "unknown"),
        (httpx2.RemoteProtocolError("closed"), "unknown"),
        (TimeoutError(), "unknown"),
        (None, "unknown"),
    ],
)
def test_only_what_was_never_sent_may_be_sent_again(cause: BaseException | None, kind: str) -> None:
    assert broken(cause).kind == kind


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        ("overloaded_error", "overloaded"),
        ("api_error", "overloaded"),
        ("timeout_error", "overloaded"),
        ("rate_limit_error", "rate_limited"),
        ("invalid_request_error", "bad_request"),
        ("billing_error", "payment"),
        ("not_found_error", "not_found"),
        ("a_new_error", "bad_request"),
    ],
)
def test_an_error_in_a_batch_is_told_by_its_type(type: str, kind: str) -> None:
    assert failed_in_batch(type, "no").kind == kind


@given(st.integers(300, 599), st.none() | st.text(max_size=40), st.none() | st.text(max_size=40), st.text(max_size=400))
def test_every_refusal_is_one_short_line_of_a_known_kind(
    status: int, type: str | None, code: str | None, message: str
) -> None:
    failure = refused(status, {}, type=type, code=code, message=message)
    assert failure.kind in KINDS
    assert count_controls(failure.reason) == 0
    assert "\n" not in failure.reason
    assert len(failure.reason) < 1000


@pytest.mark.parametrize("kind_status", [400, 401, 429, 500])
@pytest.mark.parametrize("words", ["{}", "Incorrect key: {}.", "at https://user:{}@example.com/v1 now", "Bearer {}"])
def test_no_key_stands_in_the_words_of_a_failure(words: str, kind_status: int) -> None:
    secret = "hunter2-and-more"
    said = words.format(secret)
    failure = refused(kind_status, {}, type=said, code=said, message=said, secrets=[secret])
    assert secret not in failure.reason
    assert "example.com" not in failure.reason
    assert secret not in failed_in_batch(said, said, [secret]).reason


def test_what_looks_like_a_key_is_hidden_though_nobody_said_that_it_is_one() -> None:
    failure = refused(401, {}, message="Incorrect API key provided: sk-proj-ab******xyz.")
    assert "sk-proj" not in failure.reason
