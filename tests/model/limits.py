"""What Discord takes in one message; anything beyond these numbers it refuses."""

from collections.abc import Iterator
from typing import Any

MOST_COMPONENTS = 40
MOST_TEXT = 4000
MOST_CUSTOM_ID = 100
MOST_LABEL = 80
MOST_OPTIONS = 25
MOST_IN_ROW = 5
MOST_PLACEHOLDER = 150
MOST_ALT = 1024
MOST_PINGS = 100


def components(payload: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every component of a message, those inside others too."""
    for one in payload:
        yield one
        inner = [*one.get("components", ()), *filter(None, [one.get("accessory")])]
        yield from components(inner)


def require_within_limits(parts: dict[str, Any]) -> None:
    """Fail where Discord would refuse a message as it is sent or edited."""
    payload = parts["view"].to_components()
    found = list(components(payload))
    assert payload, "an empty message"
    assert len(found) <= MOST_COMPONENTS, f"{len(found)} components"
    texts = [one["content"] for one in found if "content" in one]
    assert sum(map(len, texts)) <= MOST_TEXT
    assert all(text.strip() for text in texts), "an empty text"
    marks = [one["id"] for one in found if one.get("id")]
    assert len(marks) == len(set(marks)), "one id twice"
    custom_ids = [one["custom_id"] for one in found if "custom_id" in one]
    assert len(custom_ids) == len(set(custom_ids)), f"one custom_id twice: {custom_ids}"
    for one in found:
        _require_sizes(one)
    mentions = parts["allowed_mentions"]
    assert not mentions.everyone
    assert len(mentions.users) <= MOST_PINGS


def _require_sizes(one: dict[str, Any]) -> None:
    assert 1 <= len(one.get("custom_id", "x")) <= MOST_CUSTOM_ID
    assert len(one.get("label") or "") <= MOST_LABEL
    assert len(one.get("placeholder") or "") <= MOST_PLACEHOLDER
    assert len(one.get("options", ())) <= MOST_OPTIONS
    if one["type"] == 1:
        assert 1 <= len(one["components"]) <= MOST_IN_ROW
    for item in one.get("items", ()):
        assert len(item.get("description") or "") <= MOST_ALT
