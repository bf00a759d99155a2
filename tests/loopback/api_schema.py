"""Discord's own description of its API: whether a request is one it describes."""

import gzip
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

_FILE = Path(__file__).parent / "openapi" / "discord-openapi.json.gz"
_URI = "urn:discord"
_UNDESCRIBED = {"tts", "nsfw", "name_localizations", "description_localizations", "autocomplete", "dm_permission"}
"""Fields discord.py always sends, where Discord takes them although its description lacks them."""
_INT32 = 2**31
Shape = Any
"""A body with each text and number as far as any rule of the description can tell it from others."""


_seen: set[Shape] = set()
"""The shapes that were found without a fault: each body, and each component, is checked once."""


@cache
def description() -> Mapping[str, Any]:
    return json.loads(gzip.decompress(_FILE.read_bytes()))


@cache
def _routes() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the paths Discord has, the most literal first."""
    paths = sorted(description()["paths"], key=lambda path: (path.count("{"), path))
    return tuple((re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))), path) for path in paths)


@lru_cache(maxsize=4096)
def template_of(path: str) -> str | None:
    """Return the path Discord describes this one by; None for one it doesn't have."""
    path = re.sub(r"^/api(/v\d+)?", "", path)
    return next((template for pattern, template in _routes() if pattern.fullmatch(path)), None)


@cache
def _lengths() -> tuple[int, ...]:
    """Return every length of a text that some rule of the description allows at most, or demands."""
    found: set[int] = {0, 1}

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            found.update(value for key, value in part.items() if key in ("maxLength", "minLength"))
            for value in part.values():
                walk(value)
        elif isinstance(part, list):
            for value in part:
                walk(value)

    walk(description())
    return tuple(sorted(found))


def _shape(value: Any) -> Shape:
    match value:
        case str():
            number = value.isdigit() and (value == "0" or value[0] != "0")
            return (bisect_left(_lengths(), len(value)), number, ":" in value)
        case dict():
            return tuple([(name, _shape(inside)) for name, inside in value.items()])
        case bool() | None:
            return value
        case int():
            return value if abs(value) < 1000 else ("int", value < 0, abs(value) >= _INT32, abs(value) >= 2**24)
        case list() | tuple():
            return ("list", *map(_shape, value))
        case _:
            return value


def _chosen(validator: Any, options: list[Any], instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Check a choice between objects by the one of the object's type, so that its own fault is told."""
    if isinstance(instance, Mapping) and isinstance(instance.get("type"), int):
        alike = [option for option in options if instance["type"] in _types(option)]
        if alike:
            options = alike
    if len(options) == 1:
        shape = (options[0].get("$ref"), _shape(instance))
        if shape in _seen:
            return
        found = list(validator.descend(instance, options[0]))
        if not found and shape[0] is not None:
            _seen.add(shape)
        yield from found
        return
    faults: list[ValidationError] = []
    for option in options:
        found = list(validator.descend(instance, option))
        if not found:
            return
        faults += found
    yield jsonschema.exceptions.best_match(faults)


def _types(option: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the types of objects a part of the description is about, if it says so."""
    if "$ref" in option:
        option = description()["components"]["schemas"][option["$ref"].rsplit("/", 1)[1]]
    return tuple(option.get("properties", {}).get("type", {}).get("enum", ()))


def _known(validator: Any, properties: Mapping[str, Any], instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Check the fields of an object, and that the description has each of them."""
    if isinstance(instance, Mapping):
        for name, value in instance.items():
            if name in properties:
                yield from validator.descend(value, properties[name], path=name, schema_path=name)
            elif "additionalProperties" not in schema and name not in _UNDESCRIBED:
                yield ValidationError(f"{name!r} isn't a field here")


def _format(validator: Any, name: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if name == "int32" and isinstance(instance, int) and not -_INT32 <= instance < _INT32:
        yield ValidationError(f"{instance} has more than 32 bits")


def _type(validator: Any, types: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Check a type; a snowflake may be a number too, as in Discord's own examples."""
    if schema.get("format") == "snowflake" and isinstance(instance, int) and not isinstance(instance, bool):
        return
    check: Callable[..., Iterator[ValidationError]] = Draft202012Validator.VALIDATORS["type"]
    yield from check(validator, types, instance, schema)


@cache
def _validator(template: str, method: str) -> Any:
    """Return what checks the bodies of a path; None where it has none."""
    body = description()["paths"][template].get(method, {}).get("requestBody")
    if body is None:
        return None
    keywords = {"oneOf": _chosen, "anyOf": _chosen, "properties": _known, "format": _format, "type": _type}
    kind = validators.extend(Draft202012Validator, keywords)
    resource = Resource.from_contents(dict(description()), default_specification=DRAFT202012)
    pointer = f"/paths/{template.replace('~', '~0').replace('/', '~1')}/{method}"
    pointer = pointer.replace("{", "%7B").replace("}", "%7D").replace("@", "%40")
    ref = f"{_URI}#{pointer}/requestBody/content/application~1json/schema"
    return kind({"$ref": ref}, registry=Registry().with_resource(_URI, resource))


def faults(method: str, path: str, body: Any) -> list[str]:
    """Return what Discord's description doesn't allow about a request; each shape of a body is checked once."""
    template, method = template_of(path), method.lower()
    if template is None or method not in description()["paths"][template]:
        return [f"{method} {path}: there's no such request"]
    if body is None:
        return []
    shape = (template, method, _shape(body))
    if shape in _seen:
        return []
    validator = _validator(template, method)
    if validator is None:
        return [f"{method} {template}: takes no body"]
    found = [f"{method} {template} {error.json_path}: {error.message}" for error in validator.iter_errors(body)]
    if not found:
        _seen.add(shape)
    return found
