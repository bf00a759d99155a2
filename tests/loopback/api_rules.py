"""Discord's rules that its description of the API lacks: what messages, forms, commands and suggestions may hold."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.loopback.objects import COMPONENTS_V2, Json, parts

ROW, BUTTON, SELECT, FIELD, TEXT, LABEL, RADIO, CHECKBOXES = 1, 2, 3, 4, 10, 18, 21, 22
LINK, PREMIUM = 5, 6
MESSAGE, EDIT, SUGGESTIONS, FORM = 4, 7, 8, 9
"""The types of answers to an interaction."""


def faults(method: str, template: str, body: Any, files: Sequence[str]) -> list[str]:
    """Return which rules a request breaks; `files` are the names of those sent along."""
    if isinstance(body, list):
        return [fault for command in body for fault in _command(command)]
    if not isinstance(body, Mapping):
        return []
    if template.endswith("/callback"):
        return list(_callback(body, files))
    new = method == "POST" and (template.endswith("/messages") or template == "/webhooks/{webhook_id}/{webhook_token}")
    if new or (method == "PATCH" and "/messages/" in template):
        return list(_message(body, files))
    return []


def _callback(body: Mapping[str, Any], files: Sequence[str]) -> Iterator[str]:
    data = body.get("data") or {}
    match body.get("type"):
        case 4 | 7:
            yield from _message(data, files)
        case 8:
            yield from _choices(data.get("choices", ()), "suggestions")
        case 9:
            yield from _form(data)
        case _:
            return


def _message(body: Mapping[str, Any], files: Sequence[str]) -> Iterator[str]:
    shown = list(parts(body.get("components") or ()))
    if shown:
        if not (body.get("flags") or 0) & COMPONENTS_V2:
            yield "components without the flag of Components V2"
        if body.get("content") or body.get("embeds"):
            yield "content or embeds beside components"
    if len(shown) > 40:
        yield f"{len(shown)} components"
    if (said := sum(len(part["content"]) for part in shown if part["type"] == TEXT)) > 4000:
        yield f"{said} characters in all"
    yield from _parts(shown)
    mentions = body.get("allowed_mentions")
    if mentions is None:
        yield "no allowed_mentions"
    elif mentions.get("parse"):
        yield f"everyone a text names is mentioned: {mentions}"
    nonce = body.get("nonce")
    if nonce is not None and (len(str(nonce)) > 25 or body.get("enforce_nonce") is not True):
        yield f"nonce {nonce!r} isn't enforced"
    yield from _files(body, shown, files)


def _files(body: Mapping[str, Any], shown: Sequence[Json], files: Sequence[str]) -> Iterator[str]:
    """Yield files that are shown and not sent, or sent and not shown."""
    kept = {str(each["filename"]) for each in body.get("attachments") or () if each.get("filename")}
    there = {*files, *kept}
    urls = [str((part.get("file") or part.get("media") or {}).get("url", "")) for part in shown]
    urls += [str(item["media"]["url"]) for part in shown for item in part.get("items", ())]
    used = {url.removeprefix("attachment://") for url in urls if url.startswith("attachment://")}
    yield from (f"file {name} is shown and not sent" for name in used - there)
    yield from (f"file {name} is sent and not shown" for name in {*files} - used)


def _parts(shown: Sequence[Json]) -> Iterator[str]:
    """Yield what no component, of a message or a form, may be."""
    for key in ("custom_id", "id"):
        twice = [one for one, times in Counter(part.get(key) for part in shown).items() if one and times > 1]
        yield from (f"{key} {one} stands twice" for one in twice)
    for part in shown:
        kind = part["type"]
        if len(part.get("custom_id") or "x") > 100:
            yield "a custom_id of more than 100 characters"
        if kind == BUTTON:
            yield from _button(part)
        elif kind == ROW:
            inside = [one["type"] for one in part["components"]]
            if not (all(one == BUTTON for one in inside) and 1 <= len(inside) <= 5) and len(inside) != 1:
                yield f"a row of {inside}"
        elif kind in (SELECT, RADIO, CHECKBOXES):
            yield from _select(part)
        elif kind == TEXT and not part["content"]:
            yield "an empty text"


def _button(part: Json) -> Iterator[str]:
    if not part.get("label") and not part.get("emoji"):
        yield "a button without a label"
    if len(part.get("label") or "") > 80:
        yield f"a label of {len(part['label'])} characters"
    if part["style"] not in (LINK, PREMIUM) and not part.get("custom_id"):
        yield "a button without a custom_id"


def _select(part: Json) -> Iterator[str]:
    least, most = (2, 10) if part["type"] == RADIO else (1, 25 if part["type"] == SELECT else 10)
    options = part.get("options", ())
    if not least <= len(options) <= most:
        yield f"{len(options)} options"
    yield from _choices([{"name": one["label"], "value": one["value"]} for one in options], "options")
    if any(len(one.get("description") or "") > 100 for one in options):
        yield "a description of more than 100 characters"
    chosen = sum(bool(one.get("default")) for one in options)
    if chosen > (1 if part["type"] == RADIO else part.get("max_values") or 1):
        yield f"{chosen} options are chosen already"


def _choices(choices: Sequence[Json], what: str) -> Iterator[str]:
    if len(choices) > 25:
        yield f"{len(choices)} {what}"
    for one in choices:
        if not 1 <= len(one["name"]) <= 100 or len(str(one["value"])) > 100:
            yield f"{what}: {one} is empty or too long"
    if len({one["value"] for one in choices}) < len(choices):
        yield f"{what}: a value stands twice"


def _form(data: Mapping[str, Any]) -> Iterator[str]:
    if not 1 <= len(data.get("title", "")) <= 45:
        yield "a form's title isn't 1 to 45 characters long"
    if not 1 <= len(data.get("components", ())) <= 5:
        yield f"{len(data.get('components', ()))} parts in a form"
    inside = list(parts(data.get("components", ())))
    yield from _parts(inside)
    for part in inside:
        if part["type"] == LABEL:
            if not 1 <= len(part["label"]) <= 45:
                yield f"label {part['label']!r} isn't 1 to 45 characters long"
            if len(part.get("description") or "") > 100:
                yield "a description of more than 100 characters"
        elif part["type"] == FIELD:
            most = part.get("max_length") or 4000
            if most > 4000 or len(part.get("value") or "") > most:
                yield "a field holds more than it takes"
            if len(part.get("placeholder") or "") > 100:
                yield "a hint of more than 100 characters"


def _command(command: Json, depth: int = 0) -> Iterator[str]:
    name, options = command.get("name", ""), command.get("options") or ()
    in_menu = command.get("type", 1) != 1 and not depth
    if not 1 <= len(name) <= 32 or (name != name.lower() and not in_menu):
        yield f"command or option {name!r}"
    if (command.get("type", 1) == 1 or depth) and not 1 <= len(command.get("description", "")) <= 100:
        yield f"the description of {name} isn't 1 to 100 characters long"
    if len(options) > 25 or len({one["name"] for one in options}) < len(options):
        yield f"the options of {name}"
    required = [bool(one.get("required")) for one in options]
    if required != sorted(required, reverse=True):
        yield f"{name}: what is required comes after what isn't"
    yield from _choices(command.get("choices") or (), f"choices of {name}")
    for one in options:
        yield from _command(one, depth + 1)
