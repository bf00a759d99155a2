"""The model: what each action must change, and what it must leave as it is."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bot import steps
from bot.services.delivery import delivery
from bot.services.leagues import deletion, taking_back
from bot.services.matches.outcome import Outcome
from bot.services.organising import rounds_by_hand
from bot.services.people import banning, forgetting, moving_up_answers, rejoining, removing
from bot.services.play import clearing, decisions, reporting
from bot.services.problems import deciding_all, judging
from bot.services.problems.deciding_all import Way
from bot.services.seasons import lifecycle, pausing, planning
from bot.services.signups import claim_answers, dropping, signing_up
from tests.model import invariants, rights
from tests.model.facts import Facts, Result

if TYPE_CHECKING:
    from tests.model.walk import Call, Walk

BOOKKEEPING = {
    "outbox", "audit", "sqlite_sequence", "threads", "memberships", "guilds", "calendar_entries", "fingerprints",
    "sealed_salts", "held_roles",
}  # fmt: skip
"""What the bot notes for itself: posts and threads, whom it looked for, where it said hello, which roles it gave."""
MARKS = {"reminded_at", "ask_again_at", "confirm_at", "last_day", "check_in", "refused_at", "overdue_at", "roles_seen"}
"""Columns in which the bot notes that it has told or asked someone."""
DELIVERY = {steps.load, delivery.sent, delivery.deleted, delivery.removed, delivery.refused, delivery.failed}
"""What the announcer notes isn't an action of a person: a question that was sent begins the time to answer."""

Check = Callable[["Walk", "Call", Facts, Facts], None]
OPPOSITE = {"won": "lost", "lost": "won", "draw": "draw"}


def require(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    """Fail unless an action changed exactly what it must."""
    if call.refused is not None:
        assert str(call.refused).strip(), "refused without a word"
        assert changed(before, after) == {}, "a refused action left a trace"
        return
    rights.require(walk, call, before)
    invariants.require(walk.file)
    invariants.require_explained(before, after)
    invariants.require_gone_on(walk.file, before)
    invariants.require_linked(before, after)
    require_noted(call, before, after)
    require_within(walk, call, before, after)
    require_frame(walk, call, before, after)
    check = CHECKS.get(call.use_case)
    if check is not None:
        check(walk, call, before, after)


def changed(before: Facts, after: Facts) -> dict[str, list[int]]:
    """Return which rows differ, by table."""
    found: dict[str, list[int]] = {}
    for table, rows in after.tables.items():
        old = before.tables[table]
        if rows != old:
            found[table] = [key for key in rows.keys() | old.keys() if rows.get(key) != old.get(key)]
    return found


def noteworthy(before: Facts, after: Facts) -> set[str]:
    """Return the tables in which something changed that the audit log has to tell."""
    found = changed(before, after)
    return {
        table
        for table in found.keys() - BOOKKEEPING
        if any(_plain(table, before, key) != _plain(table, after, key) for key in found[table])
    }


def _plain(table: str, facts: Facts, key: int) -> dict[str, Any] | None:
    row = facts.tables[table].get(key)
    if table == "ties" and row is not None and row["how"] in (None, "gone"):
        return None  # asked, or not asked any more: that follows from what the log tells, as an answer doesn't
    return None if row is None else {name: row[name] for name in row.keys() if name not in MARKS}  # noqa: SIM118


def require_noted(call: "Call", before: Facts, after: Facts) -> None:
    """Fail where something changed and the audit log has no new line."""
    tables = noteworthy(before, after)
    if tables and call.use_case not in DELIVERY | {deletion.delete}:
        assert len(after.tables["audit"]) > len(before.tables["audit"]), f"no line in the audit log for {tables}"


def require_within(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    """Fail where what someone does on a server changes anything of another's league."""
    if walk.neighbour is None or "actor" not in call.given:
        return
    actor = call.given["actor"]
    guild_id = walk.league.guild_id if actor.guild_id is None else actor.guild_id
    same = _elsewhere(guild_id, before) == _elsewhere(guild_id, after)
    assert same, f"{call.name} changed the league of another server"


def _elsewhere(guild_id: int, facts: Facts) -> list[Any]:
    """Return the rows of leagues of other servers: themselves, players, seasons, entrants, matches, the audit log."""
    of_leagues = ("players", "seasons", "audit")
    there = {key: row for key, row in facts.tables["leagues"].items() if row["guild_id"] != guild_id}
    seasons = {key for key, row in facts.seasons.items() if row["league_id"] in there}
    rows = [row for table in of_leagues for row in facts.tables[table].values() if row["league_id"] in there]
    seats = [row for of in (facts.entrants, facts.matches) for row in of.values() if row["season_id"] in seasons]
    return [*there.values(), *rows, *seats]


def require_frame(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    """Fail where a result or an entry changed that this action is not about."""
    may = MAY_CHANGE.get(call.use_case, _nothing)(walk, call, before, after)
    for match, row in before.matches.items():
        if match in after.matches:
            same = before.result(match) == after.result(match)
            assert same or match in may, f"result of match {match}: {before.result(match)} > {after.result(match)}"
            assert same or call.use_case in DECIDED or _stays_wins(after, match), f"who left wins match {match}"
        elif call.use_case not in TAKE_MATCHES_AWAY:
            assert call.use_case in TAKE_ROUNDS_BACK, f"match {row['id']} is gone"
            unplayed = (row["round_phase"], row["state"]) == ("open", "open")
            kept = unplayed or call.use_case is rounds_by_hand.undo_finals or _stands_again(before, after, match)
            assert kept or _played_again(before, after), f"match {row['id']} is gone with its result"
    for entrant, row in before.entrants.items():
        now = after.entrants.get(entrant)
        if call.use_case not in ABOUT_PLACES and now is not None:
            assert now["gone"] == row["gone"], f"{row['name']} was {row['gone']}, is now {now['gone']}"


def _stands_again(before: Facts, after: Facts, match: int) -> bool:
    """Whether a round paired once more has the same match with its result."""

    def played(facts: Facts, match: int) -> tuple[Any, ...]:
        names = ("season_id", "number", "upper_id", "lower_id")
        return *(facts.matches[match][name] for name in names), facts.result(match)

    return any(played(after, other) == played(before, match) for other in after.matches)


def _played_again(before: Facts, after: Facts) -> bool:
    """Whether the log names all matches that went without standing again, because finals before them were corrected."""
    lines = [row for key, row in after.tables["audit"].items() if key not in before.tables["audit"]]
    named = [json.loads(row["before"]) for row in lines if row["action"] == "finals.again"]
    gone = [match for match in before.matches if match not in after.matches and not _stands_again(before, after, match)]
    return sum(map(len, named)) >= len(gone)


def _stays_wins(after: Facts, match: int) -> bool:
    """Whether a forfeit is won by someone who is there, unless both are gone."""
    result, row = after.result(match), after.matches[match]
    if result.kind != "forfeit" or result.winner is None:
        return True
    gone = {side for side in (row["upper_id"], row["lower_id"]) if after.entrants[side]["gone"]}
    return result.winner not in gone or len(gone) == 2


# -- which matches an action can be about --


def _nothing(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    return set()


def _the_match(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    view = call.answer if hasattr(call.answer, "round") else call.answer.match
    return {view.match.id} if hasattr(view, "match") else {view.id}


def _with_forfeits(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    return _of_leavers(walk, call, before, after) | _given_match(walk, call)


def _given_match(walk: "Walk", call: "Call") -> set[int]:
    match = call.given.get("match")
    return {match} if isinstance(match, int) else set()


def _open_of_the_player(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    """Return the matches of a player that no one has reported."""
    player = call.given["player"]
    return {
        match
        for match, row in before.matches.items()
        if row["state"] == "open" and player in (row["upper_id"], row["lower_id"])
    }


def _of_leavers(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    """Return the unfinished matches of players who left now: they forfeit them."""
    left = {key for key, row in after.entrants.items() if row["gone"] and key in before.entrants}
    left = {key for key in left if before.entrants[key]["gone"] is None}
    return {
        match
        for match, row in before.matches.items()
        if row["state"] != "confirmed" and left & {row["upper_id"], row["lower_id"]}
    }


def _of_the_forgotten(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    """Return the unfinished matches of a person who has no account now, who may have been replaced for later rounds."""
    return _of_leavers(walk, call, before, after) | _played_by(walk, before, {None})


def _of_the_banned(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    """Return the unfinished matches of a person who is banned now, who may have been replaced for later rounds."""
    banned = {row["discord_id"] for row in after.tables["bans"].values()}
    return _of_the_forgotten(walk, call, before, after) | _played_by(walk, before, banned)


def _played_by(walk: "Walk", before: Facts, accounts: set[int | None]) -> set[int]:
    return {
        match
        for match, row in before.matches.items()
        if row["state"] != "confirmed"
        and accounts & {walk.file.person(row[side], row["number"]) for side in ("upper_id", "lower_id")}
    }


def _unfinished(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    return {match for match, row in before.matches.items() if row["state"] != "confirmed"}


def _lost_by_leaving(walk: "Walk", call: "Call", before: Facts, after: Facts) -> set[int]:
    """Return what those who came back had lost by leaving, where rounds are known from the start: it's open again."""
    back = {key for key, row in before.entrants.items() if row["gone"] and key in after.entrants}
    back = {key for key in back if after.entrants[key]["gone"] is None}
    return {
        match
        for match, row in before.matches.items()
        if row["kind"] in ("forfeit", "double_loss") and back & {row["upper_id"], row["lower_id"]}
    }


MAY_CHANGE: dict[Any, Callable[["Walk", "Call", Facts, Facts], set[int]]] = {
    reporting.report: _the_match,
    reporting.confirm: _the_match,
    decisions.confirm_for: _the_match,
    reporting.dispute: _the_match,
    reporting.take_back: _the_match,
    clearing.clear: _the_match,
    decisions.decide: _with_forfeits,
    deciding_all.decide: _open_of_the_player,
    judging.award: _with_forfeits,
    forgetting.forget: _of_the_forgotten,
    dropping.drop: _of_leavers,
    removing.remove: _of_leavers,
    removing.disqualify: _of_leavers,
    banning.ban: _of_the_banned,
    moving_up_answers.answer: _of_leavers,
    claim_answers.undo: _of_leavers,
    claim_answers.unlink: _of_leavers,
    rejoining.reinstate: _lost_by_leaving,
    rounds_by_hand.close: _unfinished,
    steps.tick: _unfinished,
    lifecycle.finish: _unfinished,
}
ABOUT_PLACES: set[Any] = {
    forgetting.forget,
    banning.ban,
    dropping.drop,
    removing.remove,
    removing.disqualify,
    rejoining.rejoin,
    rejoining.answer_rejoin,
    rejoining.reinstate,
    moving_up_answers.answer,
    claim_answers.undo,
    claim_answers.unlink,
    decisions.decide,
    judging.award,
    steps.tick,
}
"""What can let someone leave or come back."""
DECIDED: set[Any] = {decisions.decide, deciding_all.decide, judging.award}
"""Where a moderator says who wins."""
TAKE_MATCHES_AWAY = {deletion.delete, taking_back.take_back}
"""What can delete matches that were played, with the seasons they are of."""
TAKE_ROUNDS_BACK = {rounds_by_hand.undo, rounds_by_hand.undo_finals, *ABOUT_PLACES}
"""What can delete the matches of a round nobody has played in: finals are paired again without players who leave."""


# -- what an action must have done --


def _reported(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    match = call.answer.match.match.id
    old, new = before.result(match), after.result(match)
    if call.answer.repeated:
        assert old == new
        return
    row = before.matches[match]
    mine = _side(walk, row, call.given["actor"].user_id)
    theirs = row["lower_id"] if mine == row["upper_id"] else row["upper_id"]
    said, other = call.given["result"], before.reports.get((match, theirs))
    winner = {"won": mine, "lost": theirs}.get(said)
    final = Result("confirmed", "played", winner)
    if other is not None:
        agrees = other["result"] == OPPOSITE[said] and _scores_agree(call.given.get("score"), other)
        assert new == (final if agrees else Result("disputed", "open", None))
    elif said == "lost":
        assert new == final
    else:
        waits = "disputed" if old.state == "disputed" else "reported"
        assert new == Result(waits, "open", None)


def _scores_agree(typed: str | None, other: Any) -> bool:
    """Whether the other has reported the same numbers: games, or where they named a score that, perhaps after games."""
    pairs = [tuple(map(int, pair.split("-"))) for pair in (typed or "").split()]
    *games, score = pairs if other["own_score"] is not None else (*pairs[:1], None)
    said = {"games": games[0] if games else None, "score": score}
    return all(
        None in (mine, other[f"own_{what}"]) or mine == (other[f"their_{what}"], other[f"own_{what}"])
        for what, mine in said.items()
    )


def _side(walk: "Walk", row: Any, discord_id: int) -> int:
    sides = (row["upper_id"], row["lower_id"])
    return next(side for side in sides if walk.file.person(side, row["number"]) == discord_id)


def _confirmed(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    match = call.answer.match.match.id
    assert after.result(match).state == "confirmed"
    if call.answer.repeated:
        assert before.result(match) == after.result(match)
        return
    _as_reported(match, before, after)


def _confirmed_for(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    assert before.result(call.answer.match.id).state == "reported"
    _as_reported(call.answer.match.id, before, after)


def _as_reported(match: int, before: Facts, after: Facts) -> None:
    (said,) = (row for (about, _), row in before.reports.items() if about == match)
    row = before.matches[match]
    other = row["lower_id"] if said["entrant_id"] == row["upper_id"] else row["upper_id"]
    winner = {"won": said["entrant_id"], "lost": other}.get(said["result"])
    assert after.result(match) == Result("confirmed", "played", winner)


def _disputed(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    assert before.result(call.answer.match.id).state == "reported"
    assert after.result(call.answer.match.id) == Result("disputed", "open", None)


def _all_decided(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    player = call.given["player"]
    for match in _open_of_the_player(walk, call, before, after):
        new, row = after.result(match), before.matches[match]
        other = row["lower_id"] if player == row["upper_id"] else row["upper_id"]
        forfeit = Result("confirmed", "forfeit", other)
        assert new == (forfeit if call.given["way"] is Way.FORFEIT else Result("confirmed", "double_loss", None))
    assert before.entrants[player]["gone"] == after.entrants[player]["gone"], "deciding all matches drops nobody"


def _decided(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    match = call.given["match"]
    row = before.matches[match]
    winner = {Outcome.UPPER: row["upper_id"], Outcome.LOWER: row["lower_id"]}.get(call.given["outcome"])
    usual = "forfeit" if call.use_case is judging.award else "adjudicated"
    kind = "double_loss" if call.given["outcome"] is Outcome.DOUBLE_LOSS else str(call.given.get("kind", usual))
    assert after.result(match) == Result("confirmed", kind, winner)


def _cleared(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    assert after.result(call.answer.match.id) == Result("open", "open", None)
    assert not [about for about, _ in after.reports if about == call.answer.match.id]


def _taken_back(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    assert before.result(call.answer.match.id).state == "confirmed"
    assert after.result(call.answer.match.id).state != "confirmed"


def _joined(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    """Whoever signed up is in the season or waits for a place, never both; a full season takes no one."""
    season = after.live(walk.league.id)
    assert season is not None
    if getattr(call.answer, "already", False):
        found = changed(before, after)
        if call.use_case is signing_up.add and call.answer.linked:
            # What its player is asked is asked again, and no one about them.
            followed = {"finals_places", "links", "stay_decisions"}
            theirs = found.keys() - BOOKKEEPING - followed
            assert theirs == {"players"}, f"an account became the player's, and nothing else, not {theirs}"
        else:  # who is in already can still give another answer for opponents
            assert found == {} or found.keys() - BOOKKEEPING == {"signup_answers"}
        return
    waits = type(call.answer).__name__ == "Waits"
    if type(call.answer).__name__ in ("Asks", "Claimed"):
        assert len(after.entrants) == len(before.entrants), "who asks, or says who they were, has no place"
        return
    discord_id = call.given.get("discord_id") or call.given["actor"].user_id
    seats = [row for row in after.entrants.values() if row["season_id"] == season["id"]]
    queued = walk.file.column(
        "SELECT p.discord_id FROM waitlist w JOIN players p ON p.id = w.player_id WHERE w.season_id = ?", season["id"]
    )
    assert (discord_id in queued) == waits
    if not waits:
        assert walk.file.value("SELECT 1 FROM entrants WHERE id = ?", call.answer.entrant.id)
        assert call.answer.entrant.discord_id == discord_id
    limit = call.answer.season.settings.get("max_players")
    there = sum(row["gone"] is None for row in seats)
    before_them = len(before.inside(season["id"]))
    assert limit is None or there <= max(limit, before_them)


def _left(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    """Whoever left isn't in the season any more: before the start without a trace, later with their results."""
    season = before.live(walk.league.id)
    assert season is not None
    kinds = {key: row["gone"] for key, row in before.entrants.items()}
    gone = [key for key, kind in kinds.items() if key not in after.entrants or after.entrants[key]["gone"] != kind]
    assert len(gone) == 1, f"{len(gone)} left"
    (who,) = gone
    if season["phase"] == "signup" and call.use_case is not removing.disqualify:
        assert who not in after.entrants
    else:
        kind = "disqualification" if call.use_case is removing.disqualify else "drop"
        assert after.entrants[who]["gone"] == kind


def _came_back(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    season = before.live(walk.league.id)
    assert season is not None
    back = after.inside(season["id"]) - before.inside(season["id"])
    if call.use_case is rejoining.reinstate:
        assert len(back) == (not call.answer.dropped)
    elif call.answer.round is None:
        assert not back
    else:
        assert len(back) <= 1


def _undone(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    gone = before.matches.keys() - after.matches.keys()
    undone = [before.tables["rounds"][number] for number in {before.matches[match]["round_id"] for match in gone}]
    assert len(undone) <= 1 or all(row["together"] for row in undone), "more than a round, or a whole open stage"
    assert all(row["result"] is None for key, row in before.reports.items() if key[0] in gone)


def _ended(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    assert after.live(walk.league.id) is None


def _started(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    season = after.live(walk.league.id)
    assert season is not None
    assert season["phase"] in ("running", "finals")


def _opened(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    season = after.live(walk.league.id)
    assert before.live(walk.league.id) is None
    assert season is not None
    assert season["phase"] == "signup"


def _told_time(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    """The clock confirms what was reported once its time is over, not before; it decides nothing else by itself."""
    if all(season["paused_until"] is None for season in before.tables["seasons"].values()):
        invariants.require_ended(walk.file, walk.now)  # what a pause held is done after its end, by the next tick
    for match, row in before.matches.items():
        old, new = before.result(match), after.result(match)
        if match not in after.matches or old == new:
            continue
        if old.state == "reported" and new.kind == "played":
            assert row["confirm_at"] is not None
            assert row["confirm_at"] <= walk.now.timestamp()
        else:
            assert (old.state, new.kind) == ("open", "double_loss"), f"the clock made {old} into {new}"
            assert _overdue(before, row["season_id"]) == "double_loss", "both lose, which no setting says"
    for key, row in before.tables["rounds"].items():
        now = after.tables["rounds"].get(key)
        if now is not None and now["deadline"] != row["deadline"] and row["phase"] == "open":
            assert _overdue(before, row["season_id"]) == "extend", "a round is longer, which no setting says"
    for key, row in after.tables["matches"].items():
        season = after.tables["seasons"][after.tables["rounds"][row["round_id"]]["season_id"]]
        if row["overdue_at"] is not None and before.tables["matches"][key]["overdue_at"] is None:
            live = json.loads(season["settings"]).get("pace") == "live"
            assert live or _overdue(before, season["id"]) != "extend", "the moderators decide what is to be played"


def _overdue(facts: Facts, season: int) -> str:
    """Return what a season's settings say of matches nobody reports in time."""
    return json.loads(facts.tables["seasons"][season]["settings"]).get("overdue", "moderators")


def _paused(walk: "Walk", call: "Call", before: Facts, after: Facts) -> None:
    """A pause moves what lies after its beginning, or after its end so far, as far as that end moves."""
    season = before.live(walk.league.id)
    assert season is not None
    since = season["paused_until"] or int(walk.now.timestamp())
    moved = (after.seasons[season["id"]]["paused_until"] or int(walk.now.timestamp())) - since
    for key, row in before.tables["rounds"].items():
        if row["season_id"] == season["id"] and row["phase"] == "open" and row["clock_started_at"] is None:
            _require_moved(row, after.tables["rounds"][key], since, moved)
            for match, its in before.matches.items():
                if its["round_id"] == key and its["state"] != "confirmed":
                    _require_moved(its, after.matches[match], since, moved)


def _require_moved(old: Any, now: Any, since: int, moved: int) -> None:
    deadline = old["deadline"]
    wanted = deadline if deadline is None or deadline <= since else deadline + moved
    assert now["deadline"] == wanted, (
        f"a pause that moved by {moved} moved a deadline from {deadline} to {now['deadline']}"
    )


CHECKS: dict[Any, Check] = {
    reporting.report: _reported,
    reporting.confirm: _confirmed,
    decisions.confirm_for: _confirmed_for,
    reporting.dispute: _disputed,
    decisions.decide: _decided,
    deciding_all.decide: _all_decided,
    judging.award: _decided,
    clearing.clear: _cleared,
    reporting.take_back: _taken_back,
    signing_up.sign_up: _joined,
    signing_up.add: _joined,
    removing.remove: _left,
    removing.disqualify: _left,
    rejoining.rejoin: _came_back,
    rejoining.reinstate: _came_back,
    rounds_by_hand.undo: _undone,
    lifecycle.cancel: _ended,
    lifecycle.finish: _ended,
    lifecycle.start: _started,
    planning.open_signups: _opened,
    pausing.pause: _paused,
    pausing.end: _paused,
    steps.tick: _told_time,
}
