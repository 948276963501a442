"""Which OpenAI-compatible service the environment names."""

from __future__ import annotations

import pytest

from agent_tui.errors import NotPossible
from agent_tui.providers.openai_access import is_named, read_access

KEY = "sk-canary-0123456789"


def test_a_key_alone_names_the_vendor() -> None:
    access = read_access({"OPENAI_API_KEY": f"{KEY}\n"})
    assert access.url == "https://api.openai.com/v1/chat/completions"
    assert (access.endpoint.host, access.endpoint.host_class) == ("api.openai.com:443", "vendor")
    assert access.headers == {"authorization": f"Bearer {KEY}"}


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"),
        ("https://llm.example.com/v1/", "https://llm.example.com/v1/chat/completions"),
        (
            "https://x.openai.azure.com/openai/deployments/judge?api-version=2026-09-01",
            "https://x.openai.azure.com/openai/deployments/judge/chat/completions?api-version=2026-09-01",
        ),
    ],
)
def test_the_path_is_added_before_the_query(base: str, url: str) -> None:
    assert read_access({"OPENAI_BASE_URL": base}).url == url


def test_another_version_of_the_interface_is_the_same_service() -> None:
    digests = {
        read_access({"OPENAI_BASE_URL": f"https://x.example/d{query}"}).endpoint.digest
        for query in ("", "?api-version=2026-09-01", "?api-version=2026-10-01")
    }
    assert len(digests) == 1


@pytest.mark.parametrize("environ", [{}, {"OPENAI_BASE_URL": "", "OPENAI_API_KEY": ""}])
def test_nothing_set_names_nothing(environ: dict[str, str]) -> None:
    assert not is_named(environ)
    with pytest.raises(NotPossible, match="set OPENAI_BASE_URL, or OPENAI_API_KEY"):
        read_access(environ)


@pytest.mark.parametrize("base", ["http://127.0.0.1:8000/v1", "http://localhost/v1", "http://[::1]:8000/v1"])
def test_a_key_may_travel_unencrypted_on_this_machine(base: str) -> None:
    assert read_access({"OPENAI_BASE_URL": base, "OPENAI_API_KEY": KEY}).key == KEY


@pytest.mark.parametrize("base", ["http://10.0.0.7:8000/v1", "http://llm.example.com/v1", "http://127.0.0.1.nip.io/v1"])
def test_a_key_may_not_travel_unencrypted_unless_the_user_says_so(base: str) -> None:
    environ = {"OPENAI_BASE_URL": base, "OPENAI_API_KEY": KEY}
    with pytest.raises(NotPossible, match="would travel unencrypted") as error:
        read_access(environ)
    assert KEY not in str(error.value)
    assert read_access(environ, insecure=True).key == KEY
    assert read_access({"OPENAI_BASE_URL": base}).key == ""


@pytest.mark.parametrize(
    "environ",
    [
        {"OPENAI_BASE_URL": f"https://user:{KEY}@llm.example.com/v1"},
        {"OPENAI_BASE_URL": "llm.example.com/v1"},
        {"OPENAI_BASE_URL": "ftp://llm.example.com"},
        {"OPENAI_BASE_URL": "https://llm.example.com/v1", "OPENAI_API_KEY": f"{KEY}\nx: y"},
        {"OPENAI_BASE_URL": "https://llm.example.com/v1", "OPENAI_API_KEY": f"{KEY}é"},
    ],
)
def test_what_cannot_be_used_is_told_without_the_key(environ: dict[str, str]) -> None:
    with pytest.raises(NotPossible) as error:
        read_access(environ)
    assert str(error.value).startswith("OPENAI_")
    assert KEY not in str(error.value)
