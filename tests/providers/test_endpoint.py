"""A base URL is taken apart once, and says whether a key may go there."""

from __future__ import annotations

import pytest

from agent_tui.errors import NotPossible
from agent_tui.providers.endpoint import read_endpoint


@pytest.mark.parametrize(
    ("url", "host", "host_class", "safe"),
    [
        ("https://api.anthropic.com", "api.anthropic.com:443", "vendor", True),
        ("https://api.openai.com/v1", "api.openai.com:443", "vendor", True),
        ("http://127.0.0.1:8080", "127.0.0.1:8080", "loopback", True),
        ("http://localhost:11434/v1", "localhost:11434", "loopback", True),
        ("http://[::1]:9/", "[::1]:9", "loopback", True),
        ("https://gateway.example.com/llm/", "gateway.example.com:443", "other", True),
        ("http://gateway.example.com", "gateway.example.com:80", "other", False),
        ("http://127.0.0.1.example.com", "127.0.0.1.example.com:80", "other", False),
        ("http://api.anthropic.com", "api.anthropic.com:80", "vendor", False),
    ],
)
def test_an_endpoint_tells_its_host_and_whether_a_key_may_go_there(
    url: str, host: str, host_class: str, safe: bool
) -> None:
    endpoint = read_endpoint(url, "BASE")
    assert (endpoint.host, endpoint.host_class, endpoint.may_carry_key(insecure=False)) == (host, host_class, safe)
    assert endpoint.may_carry_key(insecure=True)


@pytest.mark.parametrize(
    "url", ["", "api.example.com", "ftp://h", "https://", "https://h:0", "https://h:x", "http://[::1"]
)
def test_what_is_no_base_url_is_refused_with_the_place_where_it_was_set(url: str) -> None:
    with pytest.raises(NotPossible) as refusal:
        read_endpoint(url, "BASE")
    assert str(refusal.value).startswith("BASE: not a base URL")


@pytest.mark.parametrize("url", ["https://user:secret@h", "https://h/?key=secret", "https://h/#secret"])
def test_a_base_url_with_a_secret_in_it_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(NotPossible) as refusal:
        read_endpoint(url, "BASE")
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("other", ["https://H.example.com/v1/", "https://h.example.com:443/v1"])
def test_one_endpoint_has_one_digest_however_it_is_written(other: str) -> None:
    assert read_endpoint(other, "").digest == read_endpoint("https://h.example.com/v1", "").digest
