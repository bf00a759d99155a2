"""Seasons as posts: sign-ups, the start, the champion, requests and notices."""

import itertools
from collections.abc import Sequence

from bot.league.phases import PLAYING, SeasonPhase
from bot.league.settings import Pace
from bot.services.outbox.kinds import ChampionPost, FieldPost, NoticePost, RejoinPost, TroublePost
from cogs.ui.actions import JOIN, REJOIN, RETRY
from cogs.ui.buttons import GREEN, ActionButton
from cogs.ui.render.matches import BLUE, RED
from cogs.ui.render.tables import CLOCK_TO_COME, card, final_lines, long_answer, mention
from cogs.ui.replies import Answer
from cogs.ui.text import count, shown, when

NAMES_LIMIT = 900


def _in_short(format_title: str, told: Sequence[str]) -> str:
    """Return the rules as players read them first."""
    return "\n".join([f"**{shown(format_title)}**", *(f"- {shown(line)}" for line in told), "All rules: `/rules`"])


def _people(names: Sequence[str], what: str = "") -> str:
    """Return how many players there are, and their names as long as they fit."""
    if not names:
        return "No one has signed up yet."
    lengths = itertools.accumulate(len(shown(name)) + 2 for name in names)
    there = sum(length <= NAMES_LIMIT for length in lengths)
    more = f" and {len(names) - there} more" if there < len(names) else ""
    return f"**{count(len(names), 'player')}{what}:** {', '.join(shown(name) for name in names[:there])}{more}"


def signup(facts: FieldPost) -> Answer:
    """Return the sign-up post."""
    season = facts.season
    is_open = season.phase is SeasonPhase.SIGNUP
    state = "sign-ups are open" if is_open else "sign-ups are closed"
    if season.phase is SeasonPhase.CANCELLED:
        state = "cancelled"
    closing = [] if season.signups_close is None else [f"Sign-ups close {when(season.signups_close)}. Then it starts."]
    lines = [_people(facts.names, " signed up"), *(closing if is_open else ())]
    if is_open:  # once they are closed, the start post says the rest, for the field there is
        lines += ["", _in_short(facts.format_title, facts.in_short)]
    # A season cancelled before its first round has given its number back.
    number = f"season {season.number}" if season.number is not None else "a season"
    title = f"{shown(facts.league.name)}, {number}: {state}"
    join = (JOIN.button("Join", facts.league.id, style=GREEN),) if is_open else ()
    return card(title, "\n".join(lines), buttons=join)


def start(facts: FieldPost) -> Answer:
    """Return the post of a season's start."""
    lines = [_people(facts.names), "", _in_short(facts.format_title, facts.in_short[:2])]
    if facts.season.salt:
        lines.append(f"Salt of the draw: `{facts.season.salt}`")
    if facts.season.settings.get("pace") == Pace.LIVE:
        lines.append(CLOCK_TO_COME)
    title = f"{shown(facts.league.name)}, season {facts.season.number} begins"
    return card(title, "\n".join(lines))


def rejoin(facts: RejoinPost) -> Answer:
    """Return a player's request to come back, or its answer."""
    who = mention(facts.player.discord_id, facts.player.name)
    title = f"{shown(facts.league.name)}, season {facts.season.number}: {shown(facts.player.name)} asks to come back"
    if facts.request.accepted is not None:
        return card(title, f"{who}: {'accepted' if facts.request.accepted else 'refused'}.")
    if facts.season.phase not in PLAYING:
        return card(title, "The season is over.")
    buttons = rejoin_buttons(facts.request.id)
    text = f"{who} dropped out and asks to come back. Missed rounds count as losses."
    return card(title, text, buttons=buttons)


def rejoin_buttons(request_id: int, name: str = "") -> tuple[ActionButton, ...]:
    """Return what organisers can answer a request to come back; with a name where there are several."""
    return (
        REJOIN.button(f"Accept {name}".strip(), request_id, extra="accept", style=GREEN),
        REJOIN.button(f"Refuse {name}".strip(), request_id, extra="refuse", style=RED),
    )


def notice(facts: NoticePost) -> Answer:
    """Return a plain fact, or what replaces a post that was taken back."""
    return card(shown(facts.league.name), shown(facts.text))


def champion(facts: ChampionPost) -> Answer:
    """Return the end of a season."""
    title = f"{shown(facts.league.name)}: season {facts.season.number} is over"
    champion = facts.champion
    who = (
        f"🏆 {mention(champion.discord_id, champion.name)} is the champion!"
        if champion
        else "It ends without a champion."
    )
    lines = final_lines(facts.standings)
    return long_answer(title, lines, file_name=f"season-{facts.season.number}-standings.txt", head=f"{who}\n")


def trouble(facts: TroublePost) -> Answer:
    """Return a note that a post is missing, or that it is there now."""
    league = shown(facts.league.name)
    if facts.fixed:
        return card(f"{league}: fixed", "✅ The missing post is there now.")
    text = f"A post couldn't be made. {shown(facts.post.problem or '')}\nThen press **Try again**."
    again = RETRY.button("Try again", facts.post.id, style=BLUE)
    return card(f"{league}: a post is missing", text, buttons=(again,))
