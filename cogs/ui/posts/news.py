"""The post after a round: what was played, who is through and out, the cut line or the cut, what comes next."""

from collections.abc import Iterable, Iterator

from bot.league.model import Name, Stage
from bot.league.outlook.prospects import Verdict
from bot.league.standings import Standing
from bot.league.tiebreaks import printed
from bot.services.matches.views import MatchView
from bot.services.outbox.news import NewsPost
from bot.services.seasons import tables
from cogs.ui.actions import MY_MATCH
from cogs.ui.buttons import PRIMARY
from cogs.ui.cards import BLUE, GOLD, LINE, Part
from cogs.ui.context import Host
from cogs.ui.drawn import drawn_part
from cogs.ui.render.match_rows import DASH
from cogs.ui.render.pictures import bracket_picture
from cogs.ui.render.tables import TIEBREAK_WORDS, record
from cogs.ui.replies import Answer
from cogs.ui.text import listed, shown, when

MOST_RESULTS = 32
"""A larger round has its results on its cards alone."""
MOST_NAMED = 60
"""As many names as one line of news holds."""


def news(facts: NewsPost) -> Answer:
    """Return the news of a finished round."""
    view, cut = facts.view, facts.news.cut
    title = f"## The finals: {len(cut.seeds)} players go on" if cut else f"## {_done(view.round.words)}"
    where = f"**{shown(view.league.name)}**, season {view.season.number}"
    results = [*map(_result, view.matches), *(f"**{shown(bye.called)}** had a bye" for bye in view.byes)]
    results += [f"**{shown(away.called)}** sat out" for away in view.sitting_out]
    told = results if len(results) <= MOST_RESULTS else [f"All {len(view.matches)} results are on the round's cards."]
    areas: Iterator[Part] = (part for area in _areas(facts) if area for part in (LINE, area))
    parts = ("\n".join([title, where, *told]), *areas)
    mine = MY_MATCH.button("My match", view.league.id, style=PRIMARY)
    return Answer(parts=parts, colour=GOLD if cut else BLUE, buttons=(mine,))


def _done(words: str) -> str:
    """Return for example `Round 3 is done`, `The semi-finals are done`."""
    return f"{words[:1].upper()}{words[1:]} {'are' if words.endswith('s') else 'is'} done"


async def drawn_below(bot: Host, facts: NewsPost) -> tuple[Part, ...]:
    """Return the picture of the bracket to come, at the cut, once its first round is published."""
    view = await tables.bracket_of(bot.database, facts.view.season.id) if facts.news.cut else None
    return () if view is None else await drawn_part(bot, bracket_picture(view), 0, "bracket.png")


def _areas(facts: NewsPost) -> Iterator[str]:
    cut = facts.news.cut
    if cut is None:
        yield "\n".join([*_through(facts), *_gone(facts), *_edge(facts)])
    else:
        yield "\n".join(
            f"{seed}. **{_called(facts, row.name)}** {_values(row)}" for seed, row in enumerate(cut.seeds, start=1)
        )
        decided = [f"-# {shown(sentence)}" for sentence in cut.decided]
        yield "\n".join([*decided, *_gone(facts, "Thank you for playing.")])
    yield _next(facts)


def _result(view: MatchView) -> str:
    games = view.result.games
    if view.winner is None:
        return f"{shown(view.pairing)}: {shown(view.state_words)}"
    won = view.upper if view.match.winner_id == view.upper.id else view.lower
    score = "" if games is None else f" {max(games)}{DASH}{min(games)}"
    return f"**{shown(won.called)}** beat {shown(view.opponent_of(won).called)}{score}"


def _values(row: Standing) -> str:
    values = printed(row.tiebreaks)
    return ", ".join([record(row), *(f"{TIEBREAK_WORDS.get(key, key)} {value}" for key, value in values.items())])


def _through(facts: NewsPost) -> Iterator[str]:
    finals = facts.view.round.stage is Stage.FINALS
    if facts.news.through:
        yield f"✅ **{'Through' if finals else 'In the finals'}:** {_names(facts, facts.news.through)}."
    if facts.news.waiting:
        yield f"**Waiting for the finals:** {_names(facts, facts.news.waiting)}."
    if facts.sure:
        sure = "Sure of the finals" if facts.has_finals else "Has won the season already"
        yield f"✅ **{sure}:** {_names(facts, facts.sure)}."


def _gone(facts: NewsPost, more: str = "") -> Iterator[str]:
    if facts.news.for_third_place:
        yield f"**For third place:** {_names(facts, facts.news.for_third_place)}."
    if facts.news.out:
        yield f"**Out:** {_names(facts, facts.news.out)}. {more}".strip()
    if facts.hopeless:
        what = "reach the finals" if facts.has_finals else "win the season"
        yield f"**Can't {what} any more:** {_names(facts, facts.hopeless)}. They play on."


def _edge(facts: NewsPost) -> Iterator[str]:
    if len(facts.news.edge) != 2:
        return
    above, below = (f"{_called(facts, row.name)} ({_values(row)})" for row in facts.news.edge)
    yield f"**At the cut line:** {above} is the last above it, {below} the first below."
    for row in facts.news.edge if facts.last_one_follows else ():
        prospect = facts.prospects.get(row.name)
        if prospect is not None and prospect.verdict is Verdict.OPEN:
            yield f"-# {_called(facts, row.name)}: {shown(prospect.about)}"
    yield "-# What do you need? /outlook tells you."


def _next(facts: NewsPost) -> str:
    if facts.following is None:
        return ""
    until = f". Ends {when(facts.following.deadline)}" if facts.following.deadline else ""
    return f"**Next:** {shown(facts.following.words)}{until}"


def _names(facts: NewsPost, names: Iterable[Name]) -> str:
    all_ = [_called(facts, name) for name in names]
    more = [f"{len(all_) - MOST_NAMED} more"] if len(all_) > MOST_NAMED else []
    return listed([*all_[:MOST_NAMED], *more])


def _called(facts: NewsPost, name: Name) -> str:
    """Return what people call the person who sits in a seat now."""
    return shown(facts.people[name].called)
