"""The post after a round: what was played, who is through, the cut and what decided it, what comes next."""

from collections.abc import Iterable, Iterator

from bot.league.counting.standings import Standing
from bot.league.formats.shared.bracketed import Reseeding
from bot.league.formats.shared.words import ordinal
from bot.league.pairing.reasons import Decision
from bot.league.season.in_words import amount, capitalised
from bot.league.season.model import Name, Stage
from bot.league.summaries.round_news import Finalists
from bot.services.play.news import NEWS, NewsPost
from bot.services.reads import tables
from cogs.matches.rounds import fingerprint_lines
from cogs.matches.words import outcome
from cogs.play.my_match import open_my_match
from cogs.reads.pictures import bracket_picture
from cogs.reads.table_lines import record
from cogs.reads.tables import bracket_button, standings_button
from cogs.ui.actions import PRIMARY
from cogs.ui.cards import BLUE, GOLD, LINE, Answer, Part
from cogs.ui.context import Host
from cogs.ui.drawn import drawn_part
from cogs.ui.posts import draws_below, renders
from cogs.ui.text import listed, shown, when

MOST_RESULTS = 32
"""A larger round has its results on its cards alone."""
MOST_NAMED = 60
"""As many names as one line of news holds."""


@renders(NEWS)
def news(post: NewsPost) -> Answer:
    """Return the news of a finished round."""
    view, cut = post.view, post.news.cut
    where = f"**{shown(view.league.name)}**, season {view.season.number}"
    if cut is None:
        words = view.round.stage_words
        head = [
            f"## {capitalised(words)} {'are' if words.endswith('s') else 'is'} done",
            where,
            *_results(post),
        ]
    else:
        players = amount(len(post.people), "player")
        title = f"## The finals: {f'all {players}' if _all_go_on(post, cut) else f'{len(cut.rows)} of {players}'} go on"
        head = [title, f"{where}, after {view.round.stage_words}"]
    areas: Iterator[Part] = (part for area in _areas(post) if area for part in (LINE, area))
    mine = open_my_match(view.league.id).button("My match", PRIMARY)
    shows = (bracket_button, standings_button) if cut else (standings_button,)
    return Answer(
        parts=("\n".join(head), *areas, "\n".join(fingerprint_lines(post.fingerprints))),
        colour=GOLD if cut else BLUE,
        buttons=(mine, *(show(view.league.id, view.season.number) for show in shows)),
    )


def _results(post: NewsPost) -> list[str]:
    view = post.view
    results = [*map(outcome, view.matches), *(f"**{shown(bye.called)}** had a bye" for bye in view.byes)]
    results += [f"**{shown(away.called)}** sat out" for away in view.sitting_out]
    results += [f"**{shown(group.resting.called)}** rested" for group in view.groups if group.resting]
    return results if len(results) <= MOST_RESULTS else [f"All {len(view.matches)} results are on the round's cards."]


@draws_below(NEWS)
async def drawn_below(bot: Host, post: NewsPost) -> tuple[Part, ...]:
    """Return the picture of the bracket to come, at the cut, once its first round is published."""
    if post.news.cut is None:
        return ()
    view = await bot.database.read(tables.bracket_of, post.view.season.id, bot.now())
    return () if view is None else await drawn_part(bot, bracket_picture(view), 0, "bracket.png", button="Bracket")


def _areas(post: NewsPost) -> Iterator[str]:
    cut = post.news.cut
    if cut is None:
        yield "\n".join([*_through(post), *_played_on(post), *_edge(post)])
    else:
        yield "\n".join(_seeds(post, cut))
        yield "\n".join([*_decided(post, cut), *_played_on(post)])
    if post.following is not None:
        until = f". Ends {when(post.following.deadline)}" if post.following.deadline else ""
        yield f"**Next:** {shown(post.following.words)}{until}"


def _all_go_on(post: NewsPost, cut: Finalists) -> bool:
    """Whether no one is left out, so that no value has decided anything but the seeds."""
    return len(cut.rows) == len(post.people)


def _seeds(post: NewsPost, cut: Finalists) -> Iterator[str]:
    for place, row in enumerate(cut.rows[:MOST_NAMED], start=1):
        yield f"{place}. {_mentioned(post, row.name)} {record(row)}{_place_in_group(post, row)}"
    if len(cut.rows) > MOST_NAMED:
        yield f"… and {len(cut.rows) - MOST_NAMED} more: **Bracket** shows everyone."
    if cut.reseeding is None:
        yield "-# The number is the seed, the same as in the bracket."
    else:
        yield f"-# The number is the place. {_reseeded(post, cut, cut.reseeding)}"


def _place_in_group(post: NewsPost, row: Standing) -> str:
    """Return which place in which group a finalist has; nothing where there is one group, or none."""
    if row.group is None or row.group_rank is None or not any(post.groups):
        return ""
    return f" · {ordinal(row.group_rank)} of {post.groups[row.group - 1]}"


def _reseeded(post: NewsPost, cut: Finalists, reseeding: Reseeding) -> str:
    """Say why the first pairs aren't best against worst, and who has another seed than place for it."""
    if reseeding.by_rating:
        why = "The best choose first, from the lowest rated players they haven't met"
    else:
        met = [listed([_called(post, name) for name in pair]) for pair in reseeding.met[:_MOST_PAIRS]]
        more = " and others" if len(reseeding.met) > _MOST_PAIRS else ""
        why = f"{', '.join(met)}{more} have met already"
    if len(reseeding.pairs) > _MOST_PAIRS:
        return f"{why}, so others play each other. **Bracket** has the seeds."
    play = listed([f"{_called(post, first)} plays {_called(post, other)}" for first, other in reseeding.pairs])
    moved = [(cut.seeds[row.name], row.name) for place, row in enumerate(cut.rows, 1) if cut.seeds[row.name] != place]
    seeds = listed([f"{_called(post, name)} is seed {seed}" for seed, name in sorted(moved)])
    return f"{why}, so {play}. In the bracket {seeds}."


_MOST_PAIRS = 4
"""So many first pairs of the bracket are named."""


def _decided(post: NewsPost, cut: Finalists) -> Iterator[str]:
    """Say what put the last who went on before the first who didn't, where it wasn't their records."""
    decision = cut.decided
    if decision is None:
        return
    records = {record(row) for row in cut.line}
    level = records.pop() if len(records) == 1 else "tied"
    places = {row.group_rank for row in cut.line if len(post.groups) > 1}
    if len(places) == 1 and (place := places.pop()) is not None:
        level = f"{ordinal(place)} of their groups"
    everything = " and tied in everything" if decision.drawn else ""
    names = listed([_called(post, row.name) for row in cut.line])
    what = _DECIDERS.get(decision.what, decision.what.capitalize())
    before, after = (
        listed([_with(post, name, decision) for name in side]) for side in (decision.before, decision.after)
    )
    yield (
        f"**What decided it:** {names} are {'both' if len(cut.line) == 2 else 'all'} {level}{everything}. "
        f"{what} puts {before} before {after}."
    )
    if decision.drawn:
        yield "-# To check the draw: **Standings**, then **As text**."


def _with(post: NewsPost, name: Name, decision: Decision) -> str:
    value = "" if decision.what in _WITHOUT_VALUES else f" ({decision.values[name]})"
    return f"{_called(post, name)}{value}"


_DECIDERS = {
    "strength of schedule": "Strength of schedule (how strong their opponents were)",
    "SoS": "Strength of schedule (how strong their opponents were)",
    "extended strength of schedule": "Extended strength of schedule (how strong their opponents' opponents were)",
    "ranking": "Their rating",
    "draw": "The draw",
    "place decided": "The organisers' decision",
    "lost tie-break": "The tie-break round",
    "beaten opponents wins": "The number of wins of the players they beat",
    "game wins": "The number of games they won",
    "game win percentage": "The share of games they won",
}
_WITHOUT_VALUES = ("place decided", "lost tie-break")


def _through(post: NewsPost) -> Iterator[str]:
    finals = post.view.round.stage is Stage.FINALS
    if post.news.through:
        yield f"✅ **{'Through' if finals else 'In the finals'}:** {_names(post, post.news.through)}."
    if post.news.waiting:
        yield f"**Waiting for the finals:** {_names(post, post.news.waiting)}."
    if post.sure:
        sure = "Now sure of the finals" if post.has_finals else "Has won the season already"
        yield f"✅ **{sure}:** {_names(post, post.sure)}."


def _played_on(post: NewsPost) -> Iterator[str]:
    """Say who plays for third place; who is out reads it alone, and who can't reach the finals by `/match`."""
    if post.news.for_third_place:
        yield f"**For third place:** {_names(post, post.news.for_third_place)}."
    if post.is_out(post.reader):
        yield "That was your last match this season. Thank you for playing."


def _edge(post: NewsPost) -> Iterator[str]:
    if not post.edge:
        return
    above, below = (f"{_called(post, row.name)} ({record(row)})" for row in post.edge)
    yield f"**Last place in the finals for now:** {above}, before {below}."
    for row in post.edge:
        prospect = post.prospects.get(row.name)
        if prospect is not None:
            yield f"-# {_called(post, row.name)}: {shown(prospect.about)}"
    yield "-# What do you need? /outlook tells you."


def _names(post: NewsPost, names: Iterable[Name]) -> str:
    all_ = [_mentioned(post, name) for name in names]
    more = [f"{len(all_) - MOST_NAMED} more"] if len(all_) > MOST_NAMED else []
    return listed([*all_[:MOST_NAMED], *more])


def _called(post: NewsPost, name: Name) -> str:
    """Return what people call the person who sits in a seat now."""
    return shown(post.people[name].called)


def _mentioned(post: NewsPost, name: Name) -> str:
    """Return a mention of a person the news concerns, or the name of one who has no account here."""
    discord_id = post.people[name].discord_id
    return f"<@{discord_id}>" if discord_id in post.ping_ids else f"**{_called(post, name)}**"
