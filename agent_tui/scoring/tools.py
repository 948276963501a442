"""What a bundle says of its tools: the schema of their arguments, and whether they change state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Raw, Struct, field

from agent_tui.errors import BadRules
from agent_tui.runs import JsonValue, ToolCall, parse
from agent_tui.runs.json_values import args_value

if TYPE_CHECKING:
    from jsonschema_rs import Validator


class Tools(Struct, frozen=True):
    """Validators by tool name, and the names of the tools that write."""

    validators: Mapping[str, Validator] = field(default_factory=dict)
    writes: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    parameters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names of the parameters that a tool's schema describes, by tool."""

    def arguments(self, tool: str) -> frozenset[str]:
        """The described parameters of a tool."""
        return self.parameters.get(tool, frozenset())

    def misfit(self, call: ToolCall) -> str | None:
        """Why a call's arguments are not valid: unparseable, or against the tool's schema. None: they are."""
        value = args_value(call.args)
        if not isinstance(value, dict):
            return "arguments are not valid JSON" if isinstance(value, str) else "arguments are not an object"
        validator = self.validators.get(call.name)
        if validator is None:
            return None
        try:
            error = next(iter(validator.iter_errors(_plain(value))), None)
        except (RecursionError, ValueError):
            return "arguments are nested too deeply for the tool's schema"
        return None if error is None else f"arguments do not fit the tool's schema: {error.message}"


NO_TOOLS = Tools()


def parse_tools(raw: Raw) -> Tools:
    """Tools from `bundle.tools`: a list of `{name, parameters, writes}` or of OpenAI tool objects.

    Raises `BadRules` where a tool has no name or its schema is not a schema.
    """
    try:
        listed = parse(raw)
    except ValueError as error:
        raise BadRules(f"bundle.tools: {error}") from error
    if listed is None:
        return NO_TOOLS
    if not isinstance(listed, list):
        raise BadRules("bundle.tools: a list of tools is expected, each {name, parameters, writes}")
    tools = [_described(number, item) for number, item in enumerate(listed)]
    return Tools(
        validators={name: _validator(name, schema) for name, schema, _ in tools if isinstance(schema, dict)},
        writes=frozenset(name for name, _, writes in tools if writes),
        names=frozenset(name for name, _, _ in tools),
        parameters={name: _parameters(schema) for name, schema, _ in tools},
    )


def _parameters(schema: JsonValue) -> frozenset[str]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return frozenset(properties) if isinstance(properties, dict) else frozenset()


def _described(number: int, item: JsonValue) -> tuple[str, JsonValue, bool]:
    function = item.get("function", item) if isinstance(item, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(item, dict) or not isinstance(function, dict) or not isinstance(name, str):
        raise BadRules(f"bundle.tools[{number}]: a tool needs a name")
    return name, function.get("parameters", function.get("input_schema")), item.get("writes") is True


def _validator(name: str, schema: JsonValue) -> Validator:
    import jsonschema_rs

    try:
        plain = _plain(schema)
        assert isinstance(plain, dict)
        return jsonschema_rs.validator_for(plain)
    except RecursionError:
        raise BadRules(f"bundle.tools: the schema of {name!r} is nested too deeply") from None
    except (ValueError, jsonschema_rs.ValidationError) as error:
        raise BadRules(f"bundle.tools: the schema of {name!r} is not a JSON Schema: {error}") from error


def _plain(value: JsonValue) -> JsonValue:
    """`value` with decimals as floats, which is what a schema is about."""
    from decimal import Decimal

    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value
