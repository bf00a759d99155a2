"""What an import brings, in ten seconds on a phone: who led each season, one result in words, what isn't used."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from bot.importers.summary import SeasonInShort, Summary
from bot.league.season.in_words import amount
from bot.services.leagues.importing_records import Plan
from cogs.ui.text import cut, shown

MOST_SHOWN = 12
"""Seasons of a preview, and names of new people, as many as a phone shows without scrolling far."""
MOST_LETTERS = 2_200
"""Letters of all seasons of a preview: the rest of the message needs the others."""
MOST_NOTES = 5


def head(title: str, league: str, short: Summary, planned: Plan, champions: Mapping[int, str]) -> str:
    """Return the preview above its questions and buttons."""
    identities = planned.identities
    alike = [f"{len(identities.unclear)} unclear"] if identities.unclear else []
    people = ", ".join([f"{len(identities.known)} known", f"{len(identities.new)} new", *alike])
    what = [amount(len(short.seasons), "season"), amount(short.matches, "match", "matches")] if short.seasons else []
    new = [shown(name) for name in identities.new[:MOST_SHOWN]]
    more = [f"{len(identities.new) - MOST_SHOWN} more"] if len(identities.new) > MOST_SHOWN else []
    hidden = len(short.notes) - MOST_NOTES
    lines = [
        f"### Preview: {title}",
        f"**{', '.join([*what, amount(identities.people, 'person', 'people')])}:** {people}.",
        f"-# For {shown(league)}. Nothing is imported yet. Every row could be read.",
        *seasons(short, planned.numbers, champions),
        "-# Wins, losses, draws, in this order. Look for a result you remember." if short.seasons else "",
        _without_champion(short, planned.numbers, champions),
        _moved(planned.moved),
        f"**New:** {', '.join([*new, *more])}" if new else "",
        _later(planned.running),
        *(f"-# {cut(shown(note), 200)}" for note in short.notes[:MOST_NOTES]),
        f"-# And {amount(hidden, 'more note')}." if hidden > 0 else "",
    ]
    return "\n".join(filter(None, lines))


def _without_champion(short: Summary, numbers: Sequence[int], champions: Mapping[int, str]) -> str:
    """Return which seasons will have no champion: final ranks, for example, are missing in the file."""
    seasons = zip(numbers, short.seasons, strict=True)
    missing = sorted(
        number for at, (number, season) in enumerate(seasons) if not (season.champion or champions.get(at))
    )
    if not missing:
        return ""
    which = f"Season {missing[0]} has" if len(missing) == 1 else f"{len(missing)} seasons have"
    return f"-# {which} no champion: the file doesn't say who won. Press **Who won?**, or leave it so."


def _moved(moved: Mapping[int, int]) -> str:
    if not moved:
        return ""
    first = min(moved)
    more = f", and {amount(len(moved) - 1, 'more season')} likewise" if len(moved) > 1 else ""
    return f"-# Season {first} becomes season {moved[first]}{more}: by the dates, what you import was played before."


def _later(running: int | None) -> str:
    return "" if running is None else f"-# Season {running} is running: its pairings and ratings stay as they are."


def seasons(short: Summary, numbers: Sequence[int], champions: Mapping[int, str]) -> Iterator[str]:
    """Yield a text for each season, by their numbers, as many as fit."""
    order = sorted(range(len(short.seasons)), key=lambda at: numbers[at])
    letters, count = 0, 0
    for at in order[:MOST_SHOWN]:
        season = short.seasons[at]
        text = _season(season, numbers[at], season.champion or champions.get(at), 5 if len(order) <= 3 else 3)
        letters += len(text)
        if letters > MOST_LETTERS and count:
            break
        count += 1
        yield text
    if count < len(order):
        yield f"-# And {amount(len(order) - count, 'more season')}."


def _season(season: SeasonInShort, number: int, champion: str | None, most: int) -> str:
    title = "" if season.title in (str(number), f"Season {number}") else f" ({shown(cut(season.title, 30))})"
    size = f"{amount(season.matches, 'match', 'matches')}, {amount(season.people, 'person', 'people')}"
    byes = f", {amount(season.byes, 'bye')}" if season.byes else ""
    top = [f"{shown(line.name)} {line.record}" for line in season.top[:most]]
    won = f" \N{MIDDLE DOT} \N{TROPHY} {shown(champion)}" if champion else ""
    return "\n".join(
        [
            f"**Season {number}**{title}{_dates(season.dates)}",
            f"{size}{byes}{won}",
            " \N{MIDDLE DOT} ".join(top),
            f"-# {cut(shown(season.sample), 150)}",
        ]
    )


def _dates(dates: tuple[date, date] | None) -> str:
    if dates is None:
        return ""
    first, last = dates
    if first == last:
        return f" \N{MIDDLE DOT} {first.day} {first:%b %Y}"
    begins = f"{first.day} {first:%b}" if first.year == last.year else f"{first.day} {first:%b %Y}"
    return f" \N{MIDDLE DOT} {begins} to {last.day} {last:%b %Y}"
