"""The memory of the practice server: every post of the simulated guild, one JSON line a change, beside the database."""

# simcord offers no way to put a world back as it was; its private stores are touched here and nowhere else but in
# this package, and the version is pinned.
# pyright: reportPrivateUsage=false

import base64
import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simcord.backend import Backend
from simcord.backend.models import Message

_FORMAT = {"fairpair practice": 1}
# What a post consists of here: the bot sends neither polls nor stickers, and reactions mean nothing to it.
_FIELDS = (
    "id",
    "channel_id",
    "author_id",
    "content",
    "timestamp",
    "edited_timestamp",
    "type",
    "flags",
    "pinned",
    "embeds",
    "components",
    "attachments",
    "mention_user_ids",
    "mention_role_ids",
    "mention_everyone",
    "reference",
    "interaction_metadata",
    "ping_user_ids",
    "ping_role_ids",
)


class Journal:
    """Write each public post to the file before the bot learns of it, so that a killed process forgets nothing.

    Answers only one person sees are left out: Discord forgets them too when its window is closed.
    """

    def __init__(self, path: Path, backend: Backend) -> None:
        self._path = path
        self._backend = backend

    def restore(self) -> bool:
        """Put the posts of the file back into the guild; return whether there were any."""
        posts: dict[int, dict[str, Any]] = {}
        for line in self._read():
            if "gone" in line:
                posts.pop(line["gone"], None)
            elif "post" in line:
                posts[line["post"]["id"]] = line
        for line in posts.values():
            self._put_back(line)
        self._rewrite(posts)
        # The backend calls its subscribers in order; the bot is subscribed later, when it starts.
        self._backend.subscribers.append(self._note)
        return bool(posts)

    def _read(self) -> list[dict[str, Any]]:
        if not self._path.exists():
            return []
        lines: list[dict[str, Any]] = []
        # A process killed while writing leaves half a line at the end.
        with contextlib.suppress(json.JSONDecodeError):
            for text in self._path.read_text(encoding="utf-8").splitlines():
                lines.append(json.loads(text))  # noqa: PERF401  (the lines before a broken one count)
        return lines if lines[:1] == [_FORMAT] else []

    def _put_back(self, line: Mapping[str, Any]) -> None:
        message = Message(**line["post"])
        channel = self._backend.channels.get(message.channel_id)
        if channel is None:
            return
        # Private to simcord: what keeps it from giving an id twice, and its store of uploaded files.
        self._backend._reserved_ids.add(message.id)
        self._backend.cdn._blobs.update({url: base64.b64decode(data) for url, data in line["files"].items()})
        self._backend.messages.setdefault(channel.id, {})[message.id] = message
        channel.last_message_id = max(message.id, channel.last_message_id or 0)

    def _rewrite(self, posts: Mapping[int, Mapping[str, Any]]) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.write_text("".join(_text(line) for line in (_FORMAT, *posts.values())), encoding="utf-8")
        fresh.replace(self._path)

    def _note(self, event: str, payload: Mapping[str, Any]) -> None:
        if event in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
            message = self._backend.messages.get(int(payload["channel_id"]), {}).get(int(payload["id"]))
            if message is not None and not message.is_ephemeral:
                self._append(self._line(message))
        elif event == "MESSAGE_DELETE":
            self._append({"gone": int(payload["id"])})

    def _line(self, message: Message) -> dict[str, Any]:
        urls = [attachment["url"] for attachment in message.attachments]
        files = {url: base64.b64encode(data).decode() for url in urls if (data := self._backend.cdn.get(url))}
        return {"post": {name: getattr(message, name) for name in _FIELDS}, "files": files}

    def _append(self, line: Mapping[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_text(line))


def _text(line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"
