"""The memory of the practice server: the posts and threads of its guild and its clock, a JSON line per change."""

# simcord offers no way to put a world back as it was: its private stores are used here, and its version is pinned.
# pyright: reportPrivateUsage=false

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from datetime import timedelta
from pathlib import Path
from typing import Any

from simcord.backend import Backend
from simcord.backend.models import Channel, Message, ThreadMetadata

from bot.league.errors import Invalid

_FORMAT = {"fairpair practice": 1}
# The bot sends neither polls nor stickers, reactions mean nothing to it, and the rest is no text.
_LEFT_OUT = {"reactions", "poll", "stickers", "allowed_mentions", "system_metadata"}
_FIELDS = [field.name for field in fields(Message) if field.name not in _LEFT_OUT]


class Journal:
    """Write each thread and public post to the file before the bot learns of it: a killed process forgets nothing.

    Answers only one person sees are left out: Discord forgets them too when its window is closed.
    """

    def __init__(self, path: Path, backend: Backend) -> None:
        self._path = path
        self._backend = backend
        self.ahead = timedelta()
        """How far the guild's clock is ahead of the real one."""

    def restore(self) -> None:
        """Put the posts of the file back into the guild; raises Invalid."""
        try:
            self._rewrite(self._read())
        except OSError as wrong:
            problem = f"{self._path} can't be used ({wrong.strerror}); fix that, or set DATABASE to another file"
            raise Invalid(problem) from None
        # The backend calls its subscribers in order; the bot is subscribed later, when it starts.
        self._backend.subscribers.append(self._note)

    def move(self, ahead: timedelta) -> None:
        """Remember that the guild's clock is moved so much further ahead."""
        self.ahead += ahead
        self._append(self._clock())

    def _read(self) -> dict[int, dict[str, Any]]:
        """Return the threads and posts that are still there, and put each back."""
        posts: dict[int, dict[str, Any]] = {}
        for number, line in self._lines():
            match line:
                case {"gone": int(gone)}:
                    posts.pop(gone, None)
                case {"ahead": int(seconds)}:
                    self.ahead = timedelta(seconds=seconds)
                case {"post": {"id": int(known)}} | {"thread": {"id": int(known)}}:
                    posts[known] = line
                case _:
                    raise self._refusal(number)
        try:
            for line in posts.values():
                if "thread" in line:
                    self._put_back_thread(line["thread"])
                else:
                    self._put_back(line)
        except (KeyError, TypeError, ValueError):
            raise self._refusal() from None
        return posts

    def _lines(self) -> Iterator[tuple[int, Any]]:
        """Return what each line says, with its number; raises Invalid."""
        texts = self._path.read_bytes().split(b"\n") if self._path.exists() else []
        whole = [(number, text) for number, text in enumerate(texts, start=1) if text]
        for place, (number, text) in enumerate(whole, start=1):
            try:
                line = json.loads(text)
            except ValueError:
                # A process killed while writing leaves half a line at the end.
                if place == len(whole):
                    return
                raise self._refusal(number) from None
            if place > 1:
                yield number, line
            elif line != _FORMAT:
                raise self._refusal(number)

    def _refusal(self, number: int | None = None) -> Invalid:
        where = f"{self._path}, line {number}" if number is not None else self._path
        return Invalid(f"{where}: this version can't show that post; move the file away to start without the old posts")

    def _put_back_thread(self, kept: Mapping[str, Any]) -> None:
        members = {int(person): joined for person, joined in kept["thread_members"].items()}
        read: dict[str, Any] = {"thread_metadata": ThreadMetadata(**kept["thread_metadata"]), "thread_members": members}
        thread = Channel(**{**kept, **read})
        self._backend._reserved_ids.add(thread.id)
        self._backend.channels[thread.id] = thread
        self._backend.messages.setdefault(thread.id, {})
        self._backend.get_guild(thread.guild_id or 0).thread_ids.append(thread.id)

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
        fresh.write_text("".join(_text(line) for line in (_FORMAT, self._clock(), *posts.values())), encoding="utf-8")
        fresh.replace(self._path)

    def _note(self, event: str, payload: Mapping[str, Any]) -> None:
        if event in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
            message = self._backend.messages.get(int(payload["channel_id"]), {}).get(int(payload["id"]))
            if message is not None and not message.is_ephemeral:
                self._append(self._line(message))
        elif event in {"THREAD_CREATE", "THREAD_UPDATE", "THREAD_MEMBERS_UPDATE"}:
            self._append({"thread": asdict(self._backend.get_thread(int(payload["id"])))})
        elif event in {"MESSAGE_DELETE", "THREAD_DELETE"}:
            self._append({"gone": int(payload["id"])})

    def _clock(self) -> dict[str, int]:
        return {"ahead": round(self.ahead.total_seconds())}

    def _line(self, message: Message) -> dict[str, Any]:
        urls = [attachment["url"] for attachment in message.attachments]
        files = {url: base64.b64encode(data).decode() for url in urls if (data := self._backend.cdn.get(url))}
        return {"post": {name: getattr(message, name) for name in _FIELDS}, "files": files}

    def _append(self, line: Mapping[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_text(line))


def _text(line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"
