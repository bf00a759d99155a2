"""Buttons as someone would forge them, and forms filled in with something for every field."""

from collections.abc import Mapping
from typing import Any

from simcord import actors
from simcord._modal import _modal_controls
from simcord.actors import MemberActor
from simcord.enums import ComponentType
from simcord.results import InteractionResult

FILLED: Mapping[str, Any] = {
    "aember": "9-3",
    "best_of": "3",
    "final_best_of": "3",
    "finals_best_of": "3",
    "hours": "daily 9-14",
    "keys": "2-1",
    "lines": "Ruins",
    "potential": "1-0",
    "round_days": "5",
    "score": "1-0",
    "signups_close": "3d",
    "value": "3",
    "when": "tomorrow 8pm",
    "zone": "Europe/Berlin",
}
"""What is typed into fields that don't take every text."""


async def forge(who: MemberActor, message: Any, custom_id: str) -> InteractionResult:
    """Press a button with any custom_id on someone's own message; after a `=`, choose a value in a select."""
    custom_id, _, chosen = custom_id.partition("=")
    stored = actors._visible_message(who, message)
    forged: dict[str, Any] = {"type": 2, "style": 2, "label": "Forged", "custom_id": custom_id, "id": 3}
    pressed: dict[str, Any] = {"custom_id": custom_id, "component_type": 2}
    if chosen:
        custom_id = f"pick:{custom_id}"
        forged = {"type": 3, "custom_id": custom_id, "options": [{"label": "Forged", "value": chosen}], "id": 3}
        pressed = {"custom_id": custom_id, "component_type": 3, "values": [chosen]}
    stored.components = [{"type": 10, "content": "…", "id": 1}, {"type": 1, "components": [forged], "id": 2}]
    return await actors._component_interaction(who, stored, pressed)


def pass_on(form: InteractionResult, who: MemberActor, message: Any) -> None:
    """Let someone send the form another person has open, as if they had guessed its custom_id."""
    opened = form._interaction
    opened.user_id, opened.guild_id, opened.channel_id = who.id, who.guild.id, message.channel_id
    opened.source_message_id = None if opened.source_message_id is None else message.id


def filled_in(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return something for every field of a form that has to be filled in, and for every text."""
    values = {control["custom_id"]: _value(control) for control in _modal_controls(dict(form))}
    return {custom_id: value for custom_id, value in values.items() if value is not None}


def _value(control: Mapping[str, Any]) -> Any:
    match ComponentType(control["type"]):
        case ComponentType.TEXT_INPUT:
            return FILLED.get(control["custom_id"], "something")
        case ComponentType.RADIO_GROUP:
            return control["options"][0]["value"]
        case ComponentType.STRING_SELECT:
            return [control["options"][0]["value"]]
        case _:
            return None
