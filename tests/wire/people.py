"""People on the loopback Discord: they type commands, press buttons, choose and fill in forms."""

import re
from collections.abc import Mapping
from typing import Any

from tests.loopback import objects
from tests.loopback.discord_server import Discord
from tests.loopback.objects import (
    APPLICATION,
    COMPONENTS_V2,
    DIRECT,
    EVERYTHING,
    GUILD,
    LEAGUE_CHANNEL,
    Json,
    Person,
    buttons,
    member,
    parts,
    role,
    user,
)

COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
_USER, _CHANNEL, _ROLE = 6, 7, 8


class People:
    """What people do on a Discord; each action returns what the bot answered to it."""

    def __init__(self, discord: Discord, roles: Mapping[int, int] | None = None, home: int = LEAGUE_CHANNEL) -> None:
        self._discord = discord
        self._home = home
        """The channel in which they type commands."""
        self._roles = roles or {}
        """The role of each person who has one."""
        self.deliveries = 1
        """How often Discord delivers what someone does; at times it's twice."""

    async def slash(self, who: Person, command: str, /, **options: Any) -> list[Json]:
        """Type a slash command, `group sub` for a subcommand."""
        top, *rest = command.split()
        known = next((each for each in self._discord.commands if each["name"] == top), {})
        inside = next((each for each in known.get("options", ()) if rest and each["name"] == rest[0]), known)
        types = {each["name"]: each["type"] for each in inside.get("options", ())}
        given = [{"name": key, "type": types[key], "value": value} for key, value in options.items()]
        data = {
            "id": known.get("id", "1"),
            "name": top,
            "type": 1,
            "options": [{"name": rest[0], "type": 1, "options": given}] if rest else given,
            "resolved": self._resolved(types, options),
        }
        return await self._act(who, COMMAND, data, self._home)

    def _resolved(self, types: Mapping[str, int], options: Mapping[str, Any]) -> Json:
        named: dict[int, list[str]] = {_USER: [], _CHANNEL: [], _ROLE: []}
        for key in options.keys() & {key for key, kind in types.items() if kind in named}:
            named[types[key]].append(str(options[key]))
        people = [self._discord.people[int(ident)] for ident in named[_USER]]
        places = [self._discord.channels[int(ident)] for ident in named[_CHANNEL]]
        return {
            "users": {str(one[0]): user(*one) for one in people},
            "members": {str(one[0]): {**member(*one), "user": None} for one in people},
            "channels": {each["id"]: {**each, "permissions": str(EVERYTHING)} for each in places},
            "roles": {ident: role(int(ident), "Role", 0) for ident in named[_ROLE]},
        }

    async def click(self, who: Person, message: Json, custom_id: str) -> list[Json]:
        """Press a button of a message by its custom_id."""
        return await self._on(who, message, {"custom_id": custom_id, "component_type": 2})

    async def press(self, who: Person, message: Json, label: str) -> list[Json]:
        """Press the button of this label."""
        return await self.click(who, message, buttons(message)[label])

    async def choose(self, who: Person, message: Json, *values: str, among: str = "") -> list[Json]:
        """Choose values in the first select of a message whose custom_id has `among`."""
        there = [part["custom_id"] for part in parts(message["components"]) if part["type"] == 3]
        custom_id = next(each for each in there if among in each)
        return await self._on(who, message, {"custom_id": custom_id, "component_type": 3, "values": list(values)})

    async def find_and_press(self, who: Person, custom_id: str) -> list[Json]:
        """Press the newest button of any post whose custom_id matches; nothing where there is none."""
        posts = [post for kept in self._discord.messages.values() for post in kept]
        for post in sorted(posts, key=lambda post: -int(post["id"])):
            if found := self.button(post, custom_id):
                return await self.click(who, post, found)
        return []

    async def press_in(self, who: Person, answer: list[Json], custom_id: str) -> list[Json]:
        """Press a button of an answer; one that has no such button stays the answer."""
        found = self.button(answer[0], custom_id) if answer else None
        return answer if found is None else await self.click(who, answer[0], found)

    def button(self, shown: Json, custom_id: str) -> str | None:
        """Return the first custom_id of a message's buttons that matches."""
        there = [part.get("custom_id") or "" for part in parts(shown.get("components", [])) if part["type"] == 2]
        return next((each for each in there if re.search(custom_id, each)), None)

    async def complete(self, who: Person, form: list[Json], **said: str) -> list[Json]:
        """Send a form, choosing what begins with these words; an answer that is no form stays the answer."""
        if not form or "custom_id" not in form[0]:
            return form
        options = [option["value"] for part in parts(form[0]["components"]) for option in part.get("options", ())]
        chosen = {key: next((one for one in options if one.startswith(value)), value) for key, value in said.items()}
        return await self.fill_in(who, form[0], **chosen)

    async def fill_in(self, who: Person, form: Json, **said: str) -> list[Json]:
        """Send a form with what was typed or chosen, by the custom_ids of its fields."""
        fields = [part for part in parts(form["components"]) if part.get("custom_id")]
        sent = [{"type": 18, "component": _filled(field, said.get(field["custom_id"], ""))} for field in fields]
        data = {"custom_id": form["custom_id"], "components": sent, "resolved": {}}
        return await self._act(who, FORM, data, self._home)

    async def _on(self, who: Person, message: Json, data: Json) -> list[Json]:
        place = int(message.get("channel_id", self._home))
        shown = objects.message("1", place, {**message, "flags": COMPONENTS_V2})
        return await self._act(who, COMPONENT, data, place, message=shown)

    async def _act(self, who: Person, kind: int, data: Json, place: int, **more: Any) -> list[Json]:
        token, here = f"token-{self._discord.new_id()}", self._discord.channels[place]
        event = {"id": self._discord.new_id(), "application_id": str(APPLICATION), "type": kind, "token": token,
                 "version": 1, "channel_id": str(place), "channel": {**here, "permissions": str(EVERYTHING)},
                 "locale": "en-US", "entitlements": [], "authorizing_integration_owners": {}, "context": 0,
                 "app_permissions": str(EVERYTHING), "attachment_size_limit": 10485760, "data": data,
                 **self._from(who, here), **more}  # fmt: skip
        for _ in range(self.deliveries):
            await self._discord.gateway.dispatch("INTERACTION_CREATE", event)
        return await self._discord.answer(token)

    def _from(self, who: Person, here: Json) -> Json:
        if here["type"] == DIRECT:
            return {"user": user(*who)}
        roles = [self._roles[who[0]]] if who[0] in self._roles else []
        server = {"id": str(GUILD), "locale": "en-US", "features": []}
        return {"guild_id": str(GUILD), "guild": server, "member": member(*who, roles)}


def _filled(field: Json, said: str) -> Json:
    """Return a field of a form with what someone typed or chose in it."""
    one_text = {"value": said} if field["type"] in (4, 21) else {"values": [said] if said else []}
    return {"type": field["type"], "custom_id": field["custom_id"], **one_text}
