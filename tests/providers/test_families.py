"""Families of models by their ids."""

from __future__ import annotations

import pytest

from agent_tui.providers.families import FAMILIES, family_of


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("claude-haiku-5-5", "claude"),
        ("us.anthropic.claude-sonnet-5-5-v1:0", "claude"),
        ("gpt-5-mini-2025-08-07", "gpt"),
        ("openai/gpt-oss-120b", "gpt"),
        ("gpt4o", "gpt"),
        ("o3-mini", "gpt"),
        ("openai/o1", "gpt"),
        ("models/gemini-3-pro", "gemini"),
        ("google/gemma-3-27b-it", "gemini"),
        ("x-ai/grok-4", "grok"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama"),
        ("codellama:7b", "llama"),
        ("Qwen/Qwen3-32B", "qwen"),
        ("deepseek-chat", "deepseek"),
        ("mixtral-8x7b", "mistral"),
        ("zai-org/GLM-4.6", "glm"),
        ("chatglm3-6b", "glm"),
        ("moonshotai/Kimi-K2", "kimi"),
        ("amazon.nova-2-lite-v1:0", "nova"),
        ("command-r-plus", "command"),
        ("microsoft/phi-4", "phi"),
        ("phi3:mini", "phi"),
    ],
)
def test_an_id_names_the_family(model: str, family: str) -> None:
    assert family_of(model) == family


@pytest.mark.parametrize(
    "model",
    ["", "workflow-agent", "zephyr-7b", "gpt-neox-20b", "gpt4all-falcon", "groq/custom", "turbo3", "sapphire-1",
     "llama.cpp", "philosopher", "commander", "command-line-agent", "supernova"],
)  # fmt: skip
def test_an_id_that_names_none_has_no_family(model: str) -> None:
    assert family_of(model) is None


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("our-support-llama-3.1-8b-ft", "llama"),
        ("deepseek-r1-distill-qwen-32b", "qwen"),
        ("nvidia/llama-3.1-nemotron-70b", "llama"),
        ("ollama/qwen3:8b", "qwen"),
        ("nous-hermes-2", None),
    ],
)
def test_a_fine_tune_belongs_to_the_base_that_its_id_names(model: str, family: str | None) -> None:
    assert family_of(model) == family


@pytest.mark.parametrize("family", FAMILIES)
def test_the_name_of_a_family_is_of_that_family(family: str) -> None:
    name = {"gpt": "gpt-5", "nova": "nova-pro"}.get(family, f"{family}-3")
    assert family_of(name) == family_of(f"vendor/{name.upper()}") == family
