"""What the environment says of the vendor's service: which credential would be used, and what of it is secret.

Read without the SDK, so that looking for a provider costs nothing; the order is the SDK's own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

API_KEY, AUTH_TOKEN = "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"
BASE_URL = "ANTHROPIC_BASE_URL"
_PROFILE, _FOLDER = "ANTHROPIC_PROFILE", "ANTHROPIC_CONFIG_DIR"
_TOKEN, _TOKEN_FILE = "ANTHROPIC_IDENTITY_TOKEN", "ANTHROPIC_IDENTITY_TOKEN_FILE"
_FEDERATION = ("ANTHROPIC_FEDERATION_RULE_ID", "ANTHROPIC_ORGANIZATION_ID")
_HEADERS = "ANTHROPIC_CUSTOM_HEADERS"


def credential_source(environ: Mapping[str, str] = os.environ) -> str | None:
    """The credential that would be used, in words; None where there is none."""
    for name in (API_KEY, AUTH_TOKEN):
        if environ.get(name):
            return name
    if profile := environ.get(_PROFILE):
        return f"{_PROFILE} {profile}"
    if all(environ.get(name) for name in _FEDERATION) and (environ.get(_TOKEN) or environ.get(_TOKEN_FILE)):
        return "workload identity"
    return "the active profile" if _has_profile(environ) else None


def shadowed_credential(environ: Mapping[str, str] = os.environ) -> str | None:
    """What to say where both a key and a token are set: the key wins."""
    both = environ.get(API_KEY) and environ.get(AUTH_TOKEN)
    return f"{API_KEY} and {AUTH_TOKEN} are both set: {API_KEY} is used" if both else None


def secrets(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Every value of the environment that must not be shown."""
    values = [environ.get(name, "") for name in (API_KEY, AUTH_TOKEN, _TOKEN, "ANTHROPIC_WEBHOOK_SIGNING_KEY")]
    values += [line.partition(":")[2] for line in environ.get(_HEADERS, "").split("\n")]
    return tuple(value.strip() for value in values if value.strip())


def without_version(url: str) -> str:
    """A base URL without the `/v1` at its end, which the SDK adds by itself."""
    return url.rstrip("/").removesuffix("/v1")


def _has_profile(environ: Mapping[str, str]) -> bool:
    folder = _profile_folder(environ)
    if environ.get(_FOLDER):
        return True
    try:
        named = (folder / "active_config").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        named = ""
    return bool(named) or (folder / "configs" / "default.json").is_file()


def _profile_folder(environ: Mapping[str, str]) -> Path:
    if named := environ.get(_FOLDER):
        return Path(named)
    home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
    if sys.platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming") / "Anthropic"
    return home / ".config" / "anthropic"
