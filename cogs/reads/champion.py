"""The post of a season's end: its champion, their way, the season in numbers, and the file that checks it all."""

from collections.abc import Iterator

from bot.league.season.in_words import amount
from bot.league.season.match_score import DASH, score_words, scoreline_of
from bot.league.season.model import Kind, Match, Name, Stage
from bot.league.summaries.divisions import Ended
from bot.league.summaries.highlights import Highlights, NamedMatch
from bot.pictures.champion import ChampionPicture, Step
from bot.services.play.progression import CHAMPION
from bot.services.reads.champion import ChampionPost, Ending
from cogs.matches.rounds import fingerprint_lines
from cogs.reads.table_lines import check_link, record
from cogs.reads.tables import bracket_button, standings_button
from cogs.ui.actions import ActionButton
from cogs.ui.cards import GOLD, Answer, Attached, Part
from cogs.ui.context import Host
from cogs.ui.drawn import drawn_part
from cogs.ui.posts import draws_below, renders
from cogs.ui.text import listed, shown

_MOST_DIVISIONS = 15
"""As many divisions below the first are named; the standings have them all."""


@renders(CHAMPION)
def champion(post: ChampionPost) -> Answer:
    """Return the end of a season, without its picture."""
    text = "\n".join(_lines(post, _ended(post)))
    return Answer(parts=(text,), colour=GOLD, buttons=tuple(_buttons(post)))


@draws_below(CHAMPION)
async def drawn_below(bot: Host, post: ChampionPost) -> tuple[Part, ...]:
    """Return the picture of the champion if there is one, and the file that checks the season."""
    ending = _ended(post)
    picture = await drawn_part(bot, champion_picture(post), 0, "champion.png") if post.champion else ()
    name = ending.file.filename
    link = check_link(bot, post.league.id, post.season.number or 0, words="Check every pairing in the browser")
    check = [f"-# **{link}**"] if link and post.league.site else []
    check += [f"-# For programmers: the whole season is in the file, and `python -m bot verify {name}` checks it."]
    check += fingerprint_lines(ending.fingerprints)
    return (*picture, Attached(name, ending.file.text), "\n".join(check))


def _ended(post: ChampionPost) -> Ending:
    assert post.ending is not None
    return post.ending


def _lines(post: ChampionPost, ending: Ending) -> Iterator[str]:
    numbers, number = ending.highlights, post.season.number
    if post.champion is None:
        yield f"## Season {number} is over"
        yield "It ends without a champion."
    else:
        yield f"## 🏆 {shown(post.champion.called)} is the champion!"
    finals = f" ({numbers.in_finals} in the finals)" if 0 < numbers.in_finals < numbers.players else ""
    played = f"{amount(numbers.players, 'player')}{finals}, {amount(numbers.matches, 'match')}"
    yield f"**{shown(post.league.name)}**: season {number} is over · {played}"
    yield from (f"{title}: {shown(words)}" for title, words in facts_of(numbers))
    yield from map(_division, ending.divisions[:_MOST_DIVISIONS])
    yield "Thank you all for playing."
    if ending.by_hand:
        yield f"-# {ending.by_hand}"


def _division(division: Ended) -> str:
    """Return who was first in a division below the first, and who would go up from it."""
    up = f". Up to division {division.number - 1}: {shown(listed(division.up))}" if division.up else ""
    return f"Division {division.number}: first **{shown(division.first)}**{up}"


def _buttons(post: ChampionPost) -> Iterator[ActionButton]:
    finals = post.record.finals_begun
    yield standings_button(post.league.id, post.season.number)
    if finals:
        yield bracket_button(post.league.id, post.season.number)


def champion_picture(post: ChampionPost) -> ChampionPicture:
    """Return the facts of the picture of a season's champion."""
    ending, name = _ended(post), Name(post.champion.name if post.champion else "")
    line = next(row for row in ending.standings if row.name == name)
    seed = [f"seed {ending.seeds[name]}"] if name in ending.seeds else []
    return ChampionPicture(
        name=post.champion.called if post.champion else "",
        season=f"season {post.season.number}",
        subtitle=" · ".join([post.league.name, f"{_drawn(record(line))} in all", *seed]),
        way=tuple(_way(ending, name)),
        numbers=tuple(_numbers(ending.highlights)),
        facts=tuple((title, _drawn(words)) for title, words in facts_of(ending.highlights)),
        file=ending.file.filename,
    )


def _way(ending: Ending, name: Name) -> Iterator[Step]:
    """Yield the regular stage as one line where finals followed it, and every other match or bye."""
    way = ending.highlights.way
    finals = [step for step in way if step.stage is Stage.FINALS]
    before = [step for step in way if step.stage is not Stage.FINALS]
    if finals and before:
        yield Step(stage="Before the finals", words=_summary(before, name))
    for step in finals or before:
        yield _step(step, name, ending)


def _summary(played: list[NamedMatch], name: Name) -> str:
    matches = [step.match for step in played if step.match is not None]
    won = sum(match.winner == name for match in matches)
    drawn = sum(match.drawn for match in matches)
    byes = len(played) - len(matches)
    lost = len(matches) - won - drawn
    draws = [amount(drawn, "draw")] if drawn else []
    return ", ".join([amount(won, "win"), *draws, amount(lost, "loss"), *([amount(byes, "bye")] if byes else [])])


def _step(step: NamedMatch, name: Name, ending: Ending) -> Step:
    if step.match is None or step.of_people is None:
        return Step(stage=step.name, words="had a bye")
    opponent = step.of_people.lower if step.match.upper == name else step.of_people.upper
    if step.match.winner == name:
        seed = ending.seeds.get(step.match.opponent_of(name))
        return Step(stage=step.name, opponent=opponent, seed=seed, result=_drawn(_score(step.match, name)))
    words = f"drew with {opponent}" if step.match.drawn else f"lost to {opponent}"
    return Step(stage=step.name, words=words, result=_drawn(_score(step.match, name)))


def _score(match: Match, name: Name) -> str:
    """Return the games and the score, those of a player first; for a forfeit the word."""
    if match.kind is Kind.FORFEIT:
        return "forfeit"
    return score_words(*scoreline_of(match, name)).strip()


def _drawn(text: str) -> str:
    """Return a text as a picture shows it, which never breaks a score into two lines."""
    return text.replace(DASH, "\N{EN DASH}")


def _numbers(numbers: Highlights) -> Iterator[tuple[str, str]]:
    yield str(numbers.players), "players"
    yield str(numbers.matches), "match" if numbers.matches == 1 else "matches"
    yield str(numbers.rounds), "round" if numbers.rounds == 1 else "rounds"
    if 0 < numbers.in_finals < numbers.players:
        yield str(numbers.in_finals), "in the finals"


def facts_of(numbers: Highlights) -> Iterator[tuple[str, str]]:
    """Yield the matches of a season worth telling, each with its title."""
    match = numbers.closest
    if match is not None and match.winner is not None:
        winner = match.winner
        yield "Closest", f"{numbers.closest_name}, {winner} {_score(match, winner)} {match.opponent_of(winner)}"
    upset = numbers.upset
    if upset is not None and upset.match.winner is not None:
        winner = upset.match.winner
        loser = upset.match.opponent_of(winner)
        yield "Upset", f"{winner} beat {loser}, who was rated {upset.points} points higher"
