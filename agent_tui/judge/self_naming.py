"""An answer that says which model wrote it would tell the judge the author: such names are blanked."""

from __future__ import annotations

import re

WITHHELD = "[name withheld]"
_KIND = (
    r"(?:[-\s]?(?:ai|opus|sonnet|haiku|fable|mythos|pro|ultra|flash|mini|nano|turbo|large|small|max|plus|chat|coder)\b"
    r"|[-\s]?v?[0-9][\w.]{0,10}){0,4}"
)
_MODELS = (
    r"(?:claude|chatgpt|gpt|o[1-9]|gemini|gemma|bard|grok|llama|qwen|deepseek|mistral|mixtral|codestral|chatglm|glm|kimi"
    rf"|amazon nova|nova|command r\+?|phi|copilot){_KIND}"
)
_MAKERS = (
    r"(?:anthropic|openai|google(?: deepmind)?|deepmind|xai|meta(?: ai)?|alibaba(?: cloud)?|deepseek|mistral(?: ai)?"
    r"|zhipu(?: ai)?|z\.ai|moonshot(?: ai)?|amazon|cohere|microsoft)"
)
_LINK = (
    r"(?:an?|the|ai|large|language|model|assistant|chatbot|agent|version|called|named|just|actually|really|only|of|and)"
)
_LINKS = rf"(?:[\s,]+{_LINK}\b){{0,12}}"
_MADE = r"(?:made|built|trained|created|developed|powered|provided|designed)\s+by"
_SELF = re.compile(
    rf"\b(?P<said>(?:i am|i'm|i’m|my name is|this is|call me|you are|you're|you’re){_LINKS}[\s,]+|powered by\s+"
    rf"|as\s+(?={_MODELS},\s+i\b)){_MODELS}\b",
    re.IGNORECASE,
)
_BY_MAKER = re.compile(
    rf"(?P<said>(?:\b(?:i am|i'm|i’m|i was|you are|as an?)\b|{re.escape(WITHHELD)})"
    rf"{_LINKS}[\s,]+{_MADE}\s+){_MAKERS}\b",
    re.IGNORECASE,
)
_DISTINCT = re.compile(r"[\d_./:@-]")


def blank_self_naming(text: str, model: str | None = None, task: str = "") -> str:
    """`text` without the names by which its author says who it is, and without the id of `model` anywhere.

    Only what names itself is blanked: `I'm Claude`, `As ChatGPT, I …`, `a model trained by OpenAI`. A model id that the
    task itself names, or that could be a plain word, stays.
    """
    if model and len(model) >= 4 and _DISTINCT.search(model) and model.casefold() not in task.casefold():
        text = re.sub(rf"(?<![\w-]){re.escape(model)}(?![\w-])", WITHHELD, text, flags=re.IGNORECASE)
    return _BY_MAKER.sub(_withheld, _SELF.sub(_withheld, text))


def _withheld(match: re.Match[str]) -> str:
    return match["said"] + WITHHELD
