"""What the bar of the practice page shows: the time, and each channel or thread with its news, pins and mentions."""

from collections.abc import Mapping
from typing import Any

from simcord import Env
from simcord.actors import MemberActor
from simcord.backend.access import can_access_channel
from simcord.backend.models import Message
from simcord.builders import ChannelHandle

from bot.practice.world import World


class Bar:
    """Answer what the bar asks, and note who each message notifies: an edit notifies nobody."""

    def __init__(self, env: Env, world: World) -> None:
        self._env = env
        self._world = world
        self._notified: dict[int, frozenset[int]] = {}
        for posts in env.backend.messages.values():
            for post in posts.values():
                self._note(post)
        env.backend.subscribers.append(self._on_event)

    def facts(self) -> dict[str, Any]:
        """Return what the bar shows, for everyone."""
        direct = [person.user.dm_channel for person in self._world.people]
        threads = [thread for thread in self._world.league.threads if not self._is_archived(thread)]
        channels = [self._channel(channel) for channel in (*self._world.channels, *threads, *direct)]
        return {"now": self._env.now().isoformat(), "channels": channels}

    def _is_archived(self, thread: ChannelHandle) -> bool:
        kept = self._env.backend.get_thread(thread.id).thread_metadata
        return kept is not None and kept.archived

    def sees(self, person: Any, channel: ChannelHandle) -> bool:
        """Return whether a person can read a channel."""
        return can_access_channel(self._env, channel.id, person, history=True)

    def _channel(self, channel: ChannelHandle) -> dict[str, Any]:
        posts = [post for post in self._env.backend.messages.get(channel.id, {}).values() if not post.is_ephemeral]
        people = [person.id for person in self._world.people if self.sees(person, channel)]
        return {
            "id": str(channel.id),
            "name": channel.name,
            "newest": str(max((post.id for post in posts), default=0)),
            "pinned": [str(post.id) for post in posts if post.pinned],
            "people": [str(person) for person in people],
            "mentions": {str(person): self._mentions(person, posts) for person in people},
        }

    def _mentions(self, person_id: int, posts: list[Message]) -> list[str]:
        return [str(post.id) for post in posts if person_id in self._notified.get(post.id, ())]

    def _on_event(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE":
            self._note(self._env.backend.get_message(int(payload["channel_id"]), int(payload["id"])))

    def _note(self, post: Message) -> None:
        self._notified[post.id] = frozenset(person.id for person in self._world.people if self._is_meant(person, post))

    def _is_meant(self, person: MemberActor, post: Message) -> bool:
        member = self._env.backend.get_guild(self._world.guild.id).members[person.id]
        return person.id in post.ping_user_ids or not set(member.role_ids).isdisjoint(post.ping_role_ids)
