"""Whose model it is: the maker's family by the pattern of a model's id.

A family is named after the maker's best-known models, so that two models of one maker have one family: Gemma is
`gemini`. A fine-tune belongs to its base, and only if its id says so; an id that names two belongs to the last, which
is the base (`deepseek-r1-distill-llama-70b`).
"""

from __future__ import annotations

import re

_PATTERNS = {
    "claude": r"claude",
    "gpt": r"chatgpt|gpt-?[2-9](?!all)|gpt-oss|o[1-9](?=$|[-:@])",
    "gemini": r"gemini|gemma|codegemma|medgemma|palm-2",
    "grok": r"grok",
    "llama": r"(?:meta|code|tiny)?-?llama(?![-_.]?(?:cpp|index|file))",
    "qwen": r"qwen|qwq",
    "deepseek": r"deepseek",
    "mistral": r"(?:open)?mi[sx]tral|ministral|magistral|codestral|pixtral|devstral|voxtral",
    "glm": r"(?:chat)?glm",
    "kimi": r"kimi|moonshot",
    "nova": r"(?<=amazon.)nova|nova-(?:micro|lite|pro|premier)",
    "command": r"command(?=$|-(?:r|a|light|nightly|xlarge|\d))|c4ai-aya|aya-expanse",
    "phi": r"phi(?=$|-?\d|-)",
}
_START = r"(?<![a-z0-9])"
"""Where a name begins: `ollama/qwen3` names no Llama, `turbo3` no o3."""
_FAMILY = re.compile("|".join(f"(?P<{name}>{_START}(?:{pattern}))" for name, pattern in _PATTERNS.items()))
FAMILIES = tuple(_PATTERNS)


def family_of(model: str) -> str | None:
    """The family of a model; None where its id names none that is known."""
    named = [found.lastgroup for found in _FAMILY.finditer(model.lower())]
    return named[-1] if named else None
