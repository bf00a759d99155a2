"""Discord's objects as JSON, as far as the bot reads them."""

from collections.abc import Iterable, Iterator
from typing import Any

Json = dict[str, Any]
Person = tuple[int, str]
"""A person's id and name."""

APPLICATION, BOT, GUILD = 1000, 1001, 2000
LEAGUE_CHANNEL, MODERATION_CHANNEL, OWNER = 2001, 2002, 3000
BOTS, MODERATORS = 2099, 2100
"""The roles of the bot, which may do everything, and of the moderators."""
IN_SEASON, CHAMPION = 2200, 2201
"""The roles the bot gives."""
EVERYTHING = (1 << 53) - 1
ORDINARY = 1 << 10 | 1 << 11 | 1 << 16
"""View channels, send messages, read back."""
THEN = "2026-01-01T00:00:00+00:00"
COMPONENTS_V2, EPHEMERAL, SILENT = 1 << 15, 1 << 6, 1 << 12
TEXT, DIRECT, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12
PINNED, THREAD_MADE = 6, 18
"""The types of the lines that Discord writes itself."""


def user(ident: int, name: str, *, bot: bool = False) -> Json:
    return {"id": str(ident), "username": name, "discriminator": "0", "global_name": name, "avatar": None, "bot": bot}


def member(ident: int, name: str, roles: Iterable[int] = ()) -> Json:
    permissions = EVERYTHING if ident in (OWNER, BOT) else ORDINARY
    return {"user": user(ident, name, bot=ident == BOT), "roles": [str(role) for role in roles], "joined_at": THEN,
            "deaf": False, "mute": False, "flags": 0, "permissions": str(permissions), "nick": None}  # fmt: skip


def channel(ident: int) -> Json:
    return {
        "id": str(ident), "type": TEXT, "name": f"channel-{ident}", "position": 0, "permission_overwrites": [],
        "nsfw": False, "parent_id": None, "rate_limit_per_user": 0, "topic": None, "flags": 0, "guild_id": str(GUILD),
    }  # fmt: skip


def thread(ident: str, parent: int, body: Json) -> Json:
    life = {"archived": False, "auto_archive_duration": 10080, "archive_timestamp": THEN, "locked": False,
            "create_timestamp": THEN}  # fmt: skip
    return {"id": ident, "type": body["type"], "name": body["name"], "guild_id": str(GUILD), "parent_id": str(parent),
            "owner_id": str(BOT), "message_count": 0, "member_count": 1, "rate_limit_per_user": 0, "flags": 0,
            "thread_metadata": life}  # fmt: skip


def direct(ident: str, person: int) -> Json:
    return {"id": ident, "type": DIRECT, "recipients": [user(person, f"user-{person}")], "last_message_id": None}


def message(ident: str, place: int, body: Json) -> Json:
    return {"id": ident, "channel_id": str(place), "author": user(BOT, "Fairpair", bot=True), "timestamp": THEN,
            "edited_timestamp": None, "tts": False, "pinned": False, "mention_everyone": False, "mentions": [],
            "mention_roles": [], "attachments": [], "type": 0, "flags": 0, "embeds": [], "components": [],
            "content": "", **body}  # fmt: skip


def role(ident: int, name: str, permissions: int) -> Json:
    return {"id": str(ident), "name": name, "color": 0, "hoist": False, "position": 0, "managed": False,
            "permissions": str(permissions), "mentionable": True, "flags": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}}  # fmt: skip


def guild(threads: list[Json]) -> Json:
    ordinary = {GUILD: "@everyone", MODERATORS: "Moderators"}
    roles = [role(BOTS, "Fairpair", EVERYTHING), *(role(ident, name, ORDINARY) for ident, name in ordinary.items())]
    channels = [channel(LEAGUE_CHANNEL), channel(MODERATION_CHANNEL)]
    return {"id": str(GUILD), "name": "Guild", "owner_id": str(OWNER), "roles": roles, "channels": channels,
            "members": [member(BOT, "Fairpair", [BOTS])], "member_count": 1, "large": False, "unavailable": False,
            "threads": threads, "emojis": [], "stickers": [], "features": [], "verification_level": 0,
            "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0, "premium_tier": 0,
            "system_channel_flags": 0, "preferred_locale": "en-US", "nsfw_level": 0, "icon": None, "splash": None,
            "premium_progress_bar_enabled": False, "banner": None, "description": None, "afk_channel_id": None,
            "afk_timeout": 300, "voice_states": [], "presences": [], "stage_instances": [],
            "guild_scheduled_events": [], "soundboard_sounds": [], "joined_at": THEN}  # fmt: skip


def parts(components: Iterable[Json]) -> Iterator[Json]:
    """Yield every component of a message or form, from top to bottom."""
    for part in components:
        yield part
        inside = [*part.get("components", ()), part.get("component"), part.get("accessory")]
        yield from parts(filter(None, inside))


def text_of(shown: Json) -> str:
    """Return everything a message says, from top to bottom."""
    said = [part["content"] for part in parts(shown.get("components", ())) if part["type"] == 10]
    return "\n".join(filter(None, [shown.get("content"), *said]))


def buttons(shown: Json) -> dict[str, str]:
    """Return the custom_id of each button of a message by its label."""
    return {part["label"]: part["custom_id"] for part in parts(shown.get("components", ())) if part["type"] == 2}


def mark_of(shown: Json) -> int | None:
    """Return the invisible id of a post."""
    return shown["components"][-1].get("id") if shown.get("components") else None
