"""Words on Discord: escaped names, clickable commands, times, short lists, and lists cut to what a message holds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

import discord

from storage.rows import LeagueRow, SeasonRow

MESSAGE_LIMIT = 2000
CARD_LIMIT = 3600
"""Characters of a long text in a card: a heading and small print fit beside it."""

# An underscore inside a word never formats on Discord; everything else here can. A slash makes links, invites and
# commands.
_SPECIAL = re.compile(
    r"([\\*~`|<\[]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<=:)/(?=/)|(?<=\.gg)/|(?<=/invite)/|(?<![\w/])/(?=[a-z])|^[#>\-+])",
    re.MULTILINE | re.IGNORECASE,
)
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the direction of all text after them."""

_COMMAND = re.compile(
    r"\\/(?:(?:league|season|round|result|player) [a-z-]+|[a-z-]{3,}\b)"
    r"(?: result:[a-z]+)?(?: match:R\d+ M\d+)?(?: season:\d+)?"
)
_CODE_OR_COMMAND = re.compile(
    r"\\.|```.*?```|`(?P<marked>/[^`\n]*)`|`[^`]*`|(?<![\w/\\<:])/[a-z-]+(?: [a-z-]+)?", re.DOTALL
)
_NAME = re.compile(r"/([a-z-]+)(?: ([a-z-]+))?")


def shown(text: str) -> str:
    """Return what someone typed so that Discord shows it as it is: no Markdown, link, invite or mention."""
    return discord.utils.escape_mentions(_SPECIAL.sub(r"\\\1", _DIRECTION.sub("", text)))


def formatted(text: str) -> str:
    """Return what organisers wrote for everyone as they formatted it, with links; it mentions no one."""
    return discord.utils.escape_mentions(_DIRECTION.sub("", text))


def with_commands(text: str) -> str:
    """Return plain words of the rules, services or errors escaped, their commands set apart as people type them.

    Mentions and Markdown don't go through here: they would be read as they are typed. `tests/test_voice.py` holds that.
    """
    return _COMMAND.sub(lambda match: f"`{match[0][1:]}`", shown(text))


def clickable(text: str, ids: Mapping[str, int]) -> str:
    """Return Markdown in which each command is one to click, by the ids Discord gave them; code stays as it is."""
    return _CODE_OR_COMMAND.sub(lambda match: _clickable(match, ids), text)


def _clickable(matched: re.Match[str], ids: Mapping[str, int]) -> str:
    typed = matched["marked"] or matched[0]
    name = _NAME.match(typed)
    for words in (name[0][1:], name[1]) if name else ():
        if words in ids:
            return f"</{words}:{ids[words]}>{typed[len(words) + 1 :]}"
    return matched[0]


def quoted(text: str, limit: int = 300) -> str:
    """Return what someone typed on one line, cut to `limit`, escaped."""
    return shown(cut(" ".join(text.split()), limit))


def cut(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Return a text with an ellipsis where it is longer than Discord takes."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def when(moment: datetime | None) -> str:
    """Return a moment as Discord shows it to each reader: date and how far off."""
    if moment is None:
        return "not set"
    return f"{discord.utils.format_dt(moment, 'F')} ({discord.utils.format_dt(moment, 'R')})"


def urgent(moment: datetime) -> str:
    """Return a moment that ends something: first how far off it is, then its date."""
    return f"{discord.utils.format_dt(moment, 'R')} · {discord.utils.format_dt(moment, 'F')}"


def ends(moment: datetime) -> str:
    """Return when a match or round ends, as its card says it."""
    return f"Ends {relative(moment)} · {discord.utils.format_dt(moment, 'F')}"


def relative(moment: datetime) -> str:
    """Return how far off a moment is, as Discord shows it: `in 5 hours`."""
    return discord.utils.format_dt(moment, "R")


class InSeason(Protocol):
    """What is shown of a season of a league."""

    @property
    def league(self) -> LeagueRow:
        """Return its league."""
        ...

    @property
    def season(self) -> SeasonRow:
        """Return its season."""
        ...


def season_title(about: InSeason) -> str:
    """Return which season something is about: `Online HeroScape, season 3`.

    One cancelled before its first round has given its number back.
    """
    number = "" if about.season.number is None else f", season {about.season.number}"
    return f"{shown(about.league.name)}{number}"


def listed(words: Sequence[str]) -> str:
    """Return words as a person says them: `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def pages(lines: Iterable[str], limit: int = CARD_LIMIT) -> tuple[str, ...]:
    """Return lines joined into texts of at most `limit` characters; a longer line is cut."""
    done: list[str] = []
    page = ""
    for line in lines:
        piece = cut(line, limit)
        if page and len(page) + 1 + len(piece) > limit:
            done.append(page)
            page = piece
        else:
            page = f"{page}\n{piece}" if page else piece
    return (*done, page) if page else tuple(done)


def plain(line: str) -> str:
    """Return a line of Markdown as text for a file."""
    for mark in ("**", "\\", "\N{ZERO WIDTH SPACE}"):
        line = line.replace(mark, "")
    return line


def mention(discord_id: int | None, name: str) -> str:
    """Return a player's name, with the mention that leads to their profile."""
    return f"**{shown(name)}**" + (f" (<@{discord_id}>)" if discord_id is not None else "")


def pings(ids: Sequence[int], roles: Sequence[int] = ()) -> str:
    """Return mentions of roles and players."""
    return " ".join([*(f"<@&{role_id}>" for role_id in roles), *(f"<@{user}>" for user in ids)])
