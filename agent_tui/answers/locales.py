"""Which sign marks decimals in a language."""

from __future__ import annotations

_POINT = frozenset({"en", "ja", "zh", "ko", "he", "th", "hi", "ms"})
_COMMA = frozenset(
    {"de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sk", "da", "sv", "no", "nb", "nn", "fi", "ru", "uk", "tr"}
    | {"el", "hu", "ro", "bg", "hr", "sl", "sr", "id", "vi", "ca"}
)
_POINT_REGIONS = frozenset({"de-ch", "de-li", "it-ch", "es-mx"})


def decimal_sign_of(locale: str) -> str | None:
    """`.` or `,` for a locale such as `en`, `de` or `de_CH`; None where it is not known."""
    name = locale.strip().lower().replace("_", "-")
    language = name.partition("-")[0]
    if name in _POINT_REGIONS or language in _POINT:
        return "."
    return "," if language in _COMMA else None
