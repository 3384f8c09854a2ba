"""Policy documents: every mistake at once, in plain words (core-policy.md 2.2 to 2.6).

The only module that knows the validation library. Texts of a document stay ordinary Python strings; they
become code units when a ruleset is composed.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from jsonschema import Draft202012Validator, ValidationError, validators

from audit.core.ecma import to_code_units
from audit.core.policy.compose import PolicySources
from audit.core.policy.json_text import ParsedJson, parse_json
from audit.core.policy.schema import (
    ACTIONS,
    BUNDLE,
    BUNDLE_KEYS,
    CONFIG_FILE,
    KNOBS,
    OLD_KEYS,
    SURFACES,
    Schema,
)
from audit.core.policy.warning import PolicyWarning, universal_map_warning
from audit.errors import DocumentError, Mistake

__all__ = [
    "ConfigDocument",
    "PolicyDocument",
    "read_bundle",
    "read_config",
    "read_policy",
]

T = TypeVar("T")
Path = tuple[str | int, ...]

ROOT = "(document)"
_DISCARDED = "__proto__"
_LONGEST_SHOWN = 60
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class ConfigDocument:
    """A configuration file that has no mistake."""

    permission: Mapping[str, object] = field(default_factory=dict)
    knobs: Mapping[str, object] = field(default_factory=dict)
    """The keys present beside `permission` and `$schema`."""
    warnings: tuple[PolicyWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """A policy file that has no mistake."""

    sources: PolicySources = field(default_factory=PolicySources)
    warnings: tuple[PolicyWarning, ...] = ()


def read_config(text: str, name: str) -> ConfigDocument:
    """Read a configuration file; `name` is what mistakes call it. Raise `DocumentError` for all of them."""
    parsed = parse_json(text, name)
    return _config(parsed, name)


def read_bundle(value: Mapping[str, object], name: str) -> PolicySources:
    """Read all scopes from one object, as an engine is told of a policy; unknown members are ignored."""
    known = cast("Mapping[str, object]", BUNDLE["properties"])
    given = {key: member for key, member in value.items() if key in known and member is not None}
    config = given.get("config")
    if isinstance(config, Mapping):
        given["config"] = {key: knob for key, knob in config.items() if key in KNOBS}
    return _sources(given, name)


def read_policy(text: str, name: str) -> PolicyDocument:
    """Read a policy file: a configuration file, or an object of scopes as `read_bundle` takes it."""
    parsed = parse_json(text, name)
    value = parsed.value
    if isinstance(value, dict) and not BUNDLE_KEYS.isdisjoint(value):
        sources = _sources({key: value[key] for key in value if key not in {"type", "name"}}, name)
        return PolicyDocument(sources, _warnings(parsed, sources.permission, name))
    document = _config(parsed, name)
    return PolicyDocument(PolicySources(document.permission, config=document.knobs), document.warnings)


def _config(parsed: ParsedJson, name: str) -> ConfigDocument:
    value = _without_discarded(parsed.value)
    _validate(value, CONFIG_FILE, name)
    content = cast("dict[str, Any]", value)
    permission: dict[str, object] = content.get("permission", {})
    knobs = {key: knob for key, knob in content.items() if key not in {"permission", "$schema"}}
    return ConfigDocument(permission, knobs, _warnings(parsed, permission, name))


def _warnings(parsed: ParsedJson, permission: Mapping[str, object], name: str) -> tuple[PolicyWarning, ...]:
    repeated = (
        PolicyWarning(name, _key_path(key), "written twice; the last value counts, at the first place")
        for key in parsed.repeated_keys
    )
    return (*repeated, *universal_map_warning(name, permission))


def _sources(value: Mapping[str, object], name: str) -> PolicySources:
    content = _without_discarded(value)
    _validate(content, BUNDLE, name)
    members = cast("dict[str, Any]", content)
    knobs = {key: knob for key, knob in members.get("config", {}).items() if key != "$schema"}
    return PolicySources(
        permission=members.get("permission", {}),
        project=members.get("project", {}),
        agents=members.get("agents", {}),
        project_agents=members.get("project_agents", {}),
        config=knobs,
        mcp_servers=tuple(members.get("mcp_servers", ())),
    )


def _without_discarded(value: object) -> object:
    """Drop the key that the reference drops from every open object before it looks at it (2.3)."""
    if isinstance(value, Mapping):
        return {key: _without_discarded(member) for key, member in value.items() if key != _DISCARDED}
    return value


def _max_code_units(
    validator: object, limit: int, instance: object, schema: object
) -> Iterator[ValidationError]:
    """Count the length of a text as the reference does."""
    del validator, schema
    if isinstance(instance, str) and len(to_code_units(instance)) > limit:
        yield ValidationError("too long")


# The stubs of the library leave this function without types.
_Validator = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"maxLength": _max_code_units}
)


def _validate(value: object, schema: Schema, name: str) -> None:
    found: list[tuple[list[int], Mistake]] = []
    for error in _Validator(schema).iter_errors(value):
        for path, mistake in _mistakes(error, name, value):
            found.append((_position(value, path), mistake))
    if found:
        found.sort(key=lambda item: item[0])
        raise DocumentError([mistake for _, mistake in found])


def _mistakes(error: ValidationError, name: str, document: object) -> Iterator[tuple[Path, Mistake]]:
    """Say in plain words what one violation is; an object with several unknown keys has one for each."""
    path: Path = tuple(error.absolute_path)
    instance = cast("Any", error.instance)
    schema = cast("dict[str, Any]", error.schema)
    allowed = str(schema.get("description", ""))
    if error.validator == "additionalProperties":
        for key in instance:
            if key not in schema["properties"]:
                yield _mistake(name, (*path, key), "unknown key", _known_keys(key, schema, path))
    elif error.validator == "required":
        for key in schema["required"]:
            if key not in instance:
                member = schema["properties"][key]["description"]
                yield _mistake(name, path, f"`{key}` is missing", f"`{key}`: {member}")
    elif "propertyNames" in error.absolute_schema_path:
        yield _mistake(name, (*path, instance), "an empty key", allowed)
    else:
        hint = _hint(instance, path, document) if error.validator == "enum" else ""
        yield _mistake(name, path, _shown(instance), allowed + hint)


def _mistake(name: str, path: Path, found: str, allowed: str) -> tuple[Path, Mistake]:
    return path, Mistake(name, _path_text(path), found, allowed)


def _known_keys(key: str, schema: Mapping[str, Any], path: Path) -> str:
    known = list(schema["properties"])
    text = "known keys are " + ", ".join(known)
    nearest = _nearest(key, known)
    if nearest is not None:
        text = f"did you mean `{nearest}`? {text}"
    if path:
        return text
    if "config" in known and key in KNOBS:
        return f"`{key}` belongs into `config`; {text}"
    if key in OLD_KEYS:
        return f"this is the old form: {OLD_KEYS[key]}; {text}"
    if key == "*" or key in SURFACES:
        return f"a surface belongs into `permission`; {text}"
    return text


def _hint(instance: object, path: Path, document: object) -> str:
    """Return a further word where the intention behind a wrong action can be told."""
    around = cast("Any", document)
    for part in path[:-1]:
        around = around[part]
    if path[-1] == "reason" and around.get("action") == "deny":
        return '; to deny a whole surface with a reason, write {"*": {"action": "deny", "reason": text}}'
    nearest = _nearest(str(instance).strip(), ACTIONS)
    return f"; did you mean `{nearest}`?" if nearest is not None else ""


def _nearest(word: str, known: Iterable[str]) -> str | None:
    by_small_letters = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), by_small_letters, n=1, cutoff=0.7)
    return by_small_letters[close[0]] if close else None


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "`null`"
    text = _json_text(value)
    if len(text) > _LONGEST_SHOWN:
        count = f" ({len(to_code_units(value))} characters)" if isinstance(value, str) else ""
        return f"`{text[:_LONGEST_SHOWN]}`...{count}"
    return f"`{text}`"


def _json_text(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def _key_path(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else f"[{_json_text(key)}]"


def _path_text(path: Path) -> str:
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            key = _key_path(part)
            text += key if key.startswith("[") or not text else f".{key}"
    return text or ROOT


def _position(document: object, path: Path) -> list[int]:
    """Return where in the document a path is, to put mistakes in reading order."""
    position: list[int] = []
    around = cast("Any", document)
    for part in path:
        position.append(part if isinstance(part, int) else list(around).index(part))
        around = around[part]
    return position
