"""The time of a match on its card and in messages: what is agreed, what waits for an answer, what can be pressed."""

from bot.league.match_day.starts import Person
from bot.league.season.local_time import short_words
from bot.league.season.phases import MatchState
from bot.services.matches.views import MatchView
from bot.services.reads.details import Details
from bot.services.times.time_posts import AGREED, TIME_REMINDER, TIMES, AgreedPost, TimesPost
from cogs.matches.words import name
from cogs.play.match_card import OnCard
from cogs.times.proposing import accept_time, numbered, own_clocks, propose
from cogs.ui.actions import SUCCESS, ActionButton
from cogs.ui.cards import AMBER, GREEN, Answer, card
from cogs.ui.posts import renders
from cogs.ui.text import season_title, shown, when
from storage.tables.times import TimeProposalRow


@renders(TIMES)
def times_post(post: TimesPost) -> Answer:
    """Return proposed times for the opponent, or what became of them."""
    view, row = post.view, post.proposal
    by = name(view.side(row.entrant_id))
    if row.answer is not None:
        return card(shown(view.label), f"{by} has proposed other times since. /match shows what counts.")
    title = f"{by} proposes {'a time' if len(row.starts) == 1 else 'times'}"
    text = f"{_where(view)}\n{numbered(row.moments)}\n{name(post.opponent)}, press the one you can make."
    return card(title, text, buttons=_accept_buttons(view, row, post.them), colour=AMBER)


@renders(AGREED)
def agreed_post(post: AgreedPost) -> Answer:
    """Return the time two players agreed on."""
    return _told(post, f"🗓 Agreed: {name(post.view.upper)} v {name(post.view.lower)}")


@renders(TIME_REMINDER)
def reminder_post(post: AgreedPost) -> Answer:
    """Return the reminder of an agreed time."""
    return _told(post, f"🗓 Soon: {name(post.view.upper)} v {name(post.view.lower)}")


def _told(post: AgreedPost, title: str) -> Answer:
    view = post.view
    lines = [_where(view), when(post.start), *own_clocks(view, post.start, post.people)]
    return card(title, "\n".join(lines), buttons=(_propose_button(view),), colour=GREEN)


def _where(view: MatchView) -> str:
    return ", ".join(filter(None, (season_title(view), view.place)))


def _lines(details: Details) -> list[str]:
    """Return what is agreed for an open match, for its players else when it ends for each, and what waits."""
    view = details.match
    if view.match.state is not MatchState.OPEN or view.stopped:
        return []
    start, people = view.match.agreed_at, details.times.people
    agreed = [] if start is None else [f"🗓 **{when(start)}**"]
    ends = view.deadline if details.shared or details.side is not None else None
    agreed += own_clocks(view, start or ends, people)
    waiting = details.times.waiting if details.times.open else ()
    return [*agreed, *(line for row in waiting for line in _proposed(details, row))]


def _hint(details: Details) -> list[str]:
    """Return what to do about the time of a match for which none is agreed or proposed."""
    quiet = details.match.match.agreed_at is None and not details.times.waiting
    return ["Agree on a time with **Propose times**."] if details.times.open and quiet else []


def _proposed(details: Details, row: TimeProposalRow) -> list[str]:
    by = details.match.side(row.entrant_id)
    other = details.match.opponent_of(by)
    if details.side is None:
        head = f"{name(by)} proposes, waiting for {name(other)}:"
    elif details.side.id == by.id:
        head = f"You proposed, waiting for {name(other)}:"
    else:
        head = f"{name(by)} proposes:"
    return [head, numbered(row.moments)]


def _buttons(details: Details) -> tuple[ActionButton, ...]:
    """Return what a player can press to agree on a time: the opponent's times, and their own."""
    side, view = details.side, details.match
    if details.times.open and details.shared:
        return (_propose_button(view),)
    if side is None or not details.times.open:
        return ()
    theirs = [row for row in details.times.waiting if row.entrant_id != side.id]
    accept = [button for row in theirs for button in _accept_buttons(view, row, details.times.people.get(side.id))]
    return (*accept, *(() if theirs else (_propose_button(view),)))


def _propose_button(view: MatchView) -> ActionButton:
    """Return the button by which a player of a match begins to propose times."""
    return propose(view.match.id).button("Propose times")


def _accept_buttons(view: MatchView, row: TimeProposalRow, person: Person | None) -> tuple[ActionButton, ...]:
    """Return a button for each time a player is asked about, in their own time, and the one to propose others."""
    taken: list[ActionButton] = []
    for number, start in enumerate(row.moments, 1):
        own = "" if person is None else short_words(start, person.zone)
        label = (own if len(row.moments) == 1 else f"{number}. {own}") if own else f"Time {number}"
        taken.append(accept_time(view.match.id, row.id, start).button(label, SUCCESS))
    return (*taken, propose(view.match.id, row.id).button("None of these work"))


ON_CARD = OnCard(lines=_lines, to_do=_hint, buttons=_buttons)
