"""Looks whether players are still on their server: up to 100 at once, without another intent."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

import discord

from bot.services.problems import on_server
from cogs.runtime.repeating import RepeatingCog
from cogs.ui.context import Host
from cogs.ui.other_members import SILENT, is_there
from storage.tables.people.memberships import Sought

_log = logging.getLogger(__name__)

SECONDS = 5
"""The time between two questions: a day has room for 17,000 of them, one a league."""
AT_ONCE = 100
"""As many people Discord names in one answer."""
PAUSE_SECONDS = 300
"""How long nobody is looked for once everyone was."""


class OnServer(RepeatingCog):
    """Notes who is gone and who is back."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot, self._look_for_some, every=SECONDS)
        self._batches: list[Sequence[Sought]] = []
        self._looked: dict[Sought, datetime] = {}

    async def _look_for_some(self) -> None:
        if not self._batches:
            await self.bot.sleep(PAUSE_SECONDS)
            now = self.bot.now()
            self._looked = {person: at for person, at in self._looked.items() if at > now - on_server.DAY}
            self._batches = _batches(await self.bot.database.read(on_server.due, now, self._looked))
        if self._batches:
            await self._look_for(self._batches.pop(0))

    async def _look_for(self, batch: Sequence[Sought]) -> None:
        """Note who of some people of a server is there; those Discord doesn't speak of are looked for again soon."""
        guild = self.bot.get_guild(batch[0].guild_id)
        here = None if guild is None else await _members(guild, [sought.discord_id for sought in batch])
        if guild is None or here is None:
            return
        gone_before = await self.bot.database.read(on_server.gone, batch)
        for sought in batch:
            present = True if sought.discord_id in here else await is_there(guild, sought.discord_id)
            if present is None:
                continue
            if not present or sought in gone_before:
                await self.bot.database.write(on_server.seen, sought, now=self.bot.now(), present=present)
                self.bot.announce()
            self._looked[sought] = self.bot.now()


def _batches(due: Iterable[Sought]) -> list[Sequence[Sought]]:
    """Return who is to be looked for, at most 100 people of one server at once, the most urgent servers first."""
    servers: defaultdict[int, list[Sought]] = defaultdict(list)
    for sought in due:
        servers[sought.guild_id].append(sought)
    return [people[at : at + AT_ONCE] for people in servers.values() for at in range(0, len(people), AT_ONCE)]


async def _members(guild: discord.Guild, people: list[int]) -> set[int] | None:
    """Return who of some people is on a server; None where Discord doesn't say."""
    try:
        members = await guild.query_members(user_ids=people, limit=AT_ONCE, cache=False)
    except SILENT as error:
        _log.info("could not look for %s people on server %s: %s", len(people), guild.id, error)
        return None
    return {member.id for member in members}
