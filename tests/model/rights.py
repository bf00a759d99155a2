"""Who may do what, whatever buttons, commands and forms show them: written down once more, beside the services."""

from typing import TYPE_CHECKING, Any

from bot.services.base.permissions import Actor
from tests.services.conftest import MODERATOR_ROLE, ORGANISER_ROLE

if TYPE_CHECKING:
    from tests.model.facts import Facts
    from tests.model.walk import Call, Walk

CREATE = "leagues.set_up.create"
ORGANISERS = {
    "leagues.deletion.delete",
    *(f"leagues.set_up.{name}" for name in ("change", "write_rules")),
    *(f"steps.{name}" for name in ("import_file", "bring_in", "merge")),
    *("leagues.taking_back.take_back", "people.merging.take_back"),
    *("people.keeping_apart.keep_apart", "people.keeping_apart.let_together"),
    *("people.banning.ban", "people.banning.unban"),
    *("people.removing.remove", "people.removing.disqualify"),
    "people.rejoining.answer_rejoin",
    *("people.renaming.rename", "people.seeds.rank", "signups.signing_up.add", "signups.letting_in.answer"),
    *(f"seasons.given_groups.{name}" for name in ("assign", "fill", "exchange")),
    "seats.substitutes.substitute",
    *("problems.stay_or_leave.keep", "problems.stay_or_leave.drop_meant"),
    *(f"organising.rounds_by_hand.{name}" for name in ("preview", "post", "extend", "close", "undo", "undo_finals")),
    *("organising.swapping.swap", "organising.timer.start", "organising.round_maps.change_maps"),
    "organising.asked_corrections.leave",
    *("organising.announcing.announce", "times.calendars.of_season", "steps.take_out"),
    *(f"ties.tie_decisions.{name}" for name in ("order", "waiting", "take_draw", "call_match")),
    *(f"seasons.planning.{name}" for name in ("prepare", "open_signups", "discard", "change_settings")),
    *(f"seasons.lifecycle.{name}" for name in ("start", "cancel", "finish")),
    *("seasons.pausing.pause", "seasons.pausing.end"),
}
MODERATORS = {
    *("play.decisions.confirm_for", "play.decisions.decide", "play.clearing.clear", "base.failed_posts.retry"),
    *("problems.deciding_all.decide", "problems.patience.let_be", "organising.asked_corrections.ask"),
    "organising.rounds_by_hand.extend_overdue",
    *(f"problems.judging.{name}" for name in ("award", "give_time", "let_play")),
}
REINSTATE = "people.rejoining.reinstate"
"""Organisers; moderators whom a moderator's decision dropped."""
OWN = {"people.linking.propose"}
"""Organisers, and the player it is about."""
TAKE_BACK = "play.reporting.take_back"
BOTH_PLAYERS = {
    *("play.reporting.report", TAKE_BACK),
    *("problems.telling.tell_problem", "problems.telling.withdraw", "problems.answering.answer"),
    *("times.proposing.propose", "times.accepting.accept"),
}
"""Only the two who sit in a match, and moderators, who take back what they confirmed for one of them."""
THE_OTHER = {"play.reporting.confirm", "play.reporting.dispute"}
"""Only the opponent of who reported, or a moderator."""


def require(walk: "Walk", call: "Call", before: "Facts") -> None:
    """Fail where someone did what they may not."""
    actor: Actor | None = call.given.get("actor")
    if actor is None or actor.user_id is None:
        return
    if call.name == CREATE:
        assert actor.manage_guild, f"{actor.name} did {call.name}"
        return
    league = before.tables["leagues"].get(call.given.get("league_id") or walk.league.id)
    own = league is not None and league["guild_id"] == actor.guild_id
    organiser = own and (actor.manage_guild or ORGANISER_ROLE in actor.role_ids)
    moderator = organiser or (own and MODERATOR_ROLE in actor.role_ids)
    assert own, f"someone of another server did {call.name}"
    if call.name in ORGANISERS:
        assert organiser, f"{actor.name} did {call.name}"
    elif call.name == REINSTATE:
        back = [row for row in before.entrants.values() if row["called"] == call.answer.name and row["gone"]]
        assert organiser or (moderator and any(row["gone_by_moderator"] for row in back)), f"{actor.name} reinstated"
    elif call.name in OWN:
        assert organiser or call.answer.discord_id == actor.user_id, f"{actor.name} did {call.name}"
    elif call.name in MODERATORS:
        assert moderator, f"{actor.name} did {call.name}"
    elif call.name in BOTH_PLAYERS | THE_OTHER:
        match = before.matches.get(_match(call))
        if match is not None:
            sides = {side: walk.file.person(side, match["number"]) for side in (match["upper_id"], match["lower_id"])}
            mine = next((side for side, person in sides.items() if person == actor.user_id), None)
            _require_side(walk, call, before, mine, moderator=moderator)


def _require_side(walk: "Walk", call: "Call", before: "Facts", mine: int | None, *, moderator: bool) -> None:
    name = call.given["actor"].name
    confirmed_for = call.name == TAKE_BACK and before.matches[_match(call)]["confirmed_by"] == "moderator"
    for_others = moderator and (call.name in THE_OTHER or confirmed_for)
    assert mine is not None or for_others, f"{name} did {call.name}, who doesn't play there"
    repeated = getattr(call.answer, "repeated", False)
    if call.name in THE_OTHER and not repeated:
        said = before.reports.keys()
        assert (_match(call), mine) not in said, f"{name} answered their own report"
    seen = call.given.get("version")
    if seen is not None and not repeated:
        assert seen == before.matches[_match(call)]["version"], f"{name} pressed a button of an older state"


def _match(call: "Call") -> Any:
    match = call.given.get("match")
    if isinstance(match, int):
        return match
    view = getattr(call.answer, "match", None)
    return getattr(getattr(view, "match", view), "id", None)
