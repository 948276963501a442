"""The JSON Schema of agent-tui/1 says what a document holds, labels and recorded verdicts too."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from agent_tui.readers import json_schema
from agent_tui.readers.schema import Bundle
from tests.writing import CYBERTRAVELS, DOCENT, case_files


@pytest.mark.parametrize("path", [CYBERTRAVELS, DOCENT, *case_files("15"), *case_files("17"), *case_files("18")])
def test_good_documents_fit(path: str) -> None:
    Bundle.model_validate_json(Path(path).read_bytes())


def test_a_verdict_that_is_a_text_does_not_fit() -> None:
    (path,) = case_files("16")
    with pytest.raises(ValidationError) as refused:
        Bundle.model_validate_json(Path(path).read_bytes())
    assert [error["loc"] for error in refused.value.errors()] == [("verdicts", 4, "pass")]


def test_the_schema_names_the_words_of_labels_and_the_parts_of_a_verdict() -> None:
    schema = json_schema()
    labels, _ = schema["properties"]["human_labels"]["anyOf"]
    assert labels["additionalProperties"]["enum"] == ["pass", "fail", "undetermined"]
    verdict = schema["$defs"]["RecordedVerdict"]
    assert (set(verdict["properties"]) >= {"pass", "raw", "score"}, verdict["required"]) == (True, ["task"])
