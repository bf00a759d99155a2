"""How a season of a file becomes one of a league's: its players, rounds and results; where there's no room for it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from bot.league.coming_and_going import lost_by_leaving
from bot.league.errors import Conflict
from bot.league.formats import by_key
from bot.league.season.model import Kind, Match, Name, Round, Season, Stage
from bot.league.season.phases import LIVE, MatchState, RoundPhase, SeasonPhase
from bot.league.season.setting_values import SALTED, SEALED
from bot.services.base import hooks
from bot.services.base.transaction import Transaction
from bot.services.leagues.file_contents import FileContents
from bot.services.leagues.imported_players import require_welcome
from bot.services.matches import season_ladders
from bot.services.play import clearing, progression, transitions
from bot.services.play.prepared import Label, label_columns
from storage import rules_season
from storage.rows import Confirmation, EntrantId, PlayerId, SeasonRow
from storage.rules_season import Meeting
from storage.tables import imports, matches, proofs, rounds, seasons
from storage.tables.field import entrants, sat_out, substitutions
from storage.tables.imports import ImportRow
from storage.tables.people import apart


def take(tx: Transaction, file: FileContents, by: ImportRow, players: Mapping[Name, PlayerId]) -> None:
    """Save a file's season as one of the league; raises Conflict where it or another live one is there already."""
    require_room(tx, file)
    if file.phase in LIVE:
        require_welcome(tx, players.values())
    season = tx.about(_add(tx, file)).id
    imports.bring_season(
        tx.conn, season, by.id, days=file.days, by_date=file.by_date, digest=file.digest, ratings=file.ratings
    )
    ids = _take_entrants(tx, file.season, players)
    _take_seats(tx, file.season, players, ids)
    _take_apart(tx, file, players, by)
    hooks.take_parts(tx, file.season, ids)
    together = file.season.settings.schedule.open_together
    at_once = [round_ for round_ in file.season.rounds if together and round_.stage is Stage.REGULAR]
    played = file.played or [(None,) * len(round_.matches) for round_ in file.season.rounds]
    for round_, (name, labels), days in zip(file.season.rounds, file.rounds, played, strict=True):
        beside = at_once if round_ in at_once else [round_]
        last = together or round_ is file.season.rounds[-1]  # an earlier one that is open again is so beside the last
        publish = last and file.phase in LIVE and not all(other.finished for other in beside)
        _take_round(tx, file.season, round_, name, labels, days, ids, publish=publish, at_once=round_ in at_once)
    draft = rounds.draft(tx.conn, tx.season.id)
    if draft is not None:
        progression.publish(tx, draft)
    if file.phase in LIVE and not together:
        clearing.reopen_as_imported(tx)
    _take_the_rest(tx, file.season, ids)
    _take_past(tx, file.season, players, by)
    for row in rounds.open_rounds(tx.conn, tx.season.id):
        transitions.forfeit_of_gone(tx, row)
    if tx.season.started_at is not None:
        if by_key(file.season.format).paired:
            people = {players[person.name] for person in file.people}
            rules_season.keep_past(tx.conn, tx.season.id, people=people, met=_met(file.season, players))
        else:
            rules_season.keep_past(tx.conn, tx.season.id)
    if file.champion is not None:
        tx.change_season(champion_id=ids[file.champion])
    if file.between_rounds and file.season.rounds:
        progression.advance(tx)  # what holds its finals or its end is asked about here as it was where it was played


def require_room(tx: Transaction, file: FileContents) -> None:
    """Raise Conflict where a file's season can't be one of the league."""
    season, phase = file.season, file.phase
    if seasons.by_number(tx.conn, tx.league.id, season.number) is not None:
        raise Conflict(f"{tx.league.name} already has a season {season.number}. A season can be imported only once.")
    live, newest = seasons.live(tx.conn, tx.league.id), seasons.newest(tx.conn, tx.league.id)
    if live is None:
        if phase in LIVE and newest is not None and season.number < (newest.number or 0):
            raise Conflict(
                f"Season {season.number} of the file isn't over, but {tx.league.name} already has season"
                f" {newest.number}, and only the newest season can go on. Import it once it's over, or into a league"
                " of its own."
            )
        return
    if phase in LIVE:
        raise Conflict(
            f"Season {season.number} of the file isn't over, and season {live.number} is still running."
            " End that one first with /season cancel, or Finish the season under /season status."
        )
    if season.number > (live.number or 0):
        raise Conflict(
            f"Season {season.number} would come after season {live.number}, which is still running."
            " Import earlier seasons before you create the next one"
            " (before its first round, /season cancel gives its number back)."
        )


def _add(tx: Transaction, file: FileContents) -> SeasonRow:
    begun, salt = file.phase is not SeasonPhase.SIGNUP, file.season.settings.salt
    sealed = file.season.sealed
    added = seasons.add(
        tx.conn,
        league_id=tx.league.id,
        number=file.season.number,
        format=file.season.format,
        settings=file.settings,
        salt_kind=SEALED if sealed is not None else SALTED if salt is not None else None,
        salt=salt,
        forgotten=file.season.forgotten,
        phase=file.phase,
        signups_close=None,
        started_at=tx.now if begun else None,
        ended_at=None if file.phase in LIVE else tx.now,
    )
    if sealed is not None and begun:
        proofs.keep_seal(tx.conn, added.id, sealed)
    elif sealed is not None:  # no one here knows the secret, so the draw that is to come gets one of its own
        proofs.draw_secret(tx.conn, added.id)
    return added


def _take_entrants(tx: Transaction, season: Season, players: Mapping[Name, PlayerId]) -> dict[Name, EntrantId]:
    drawn = {*(season.drawn_names or ())}
    entrants.add_many(
        tx.conn,
        [
            {
                "season_id": tx.season.id,
                "player_id": players[entrant.name],
                "name": entrant.name,
                "former_names": entrant.former_names,
                "entered": entrant.entered,
                "mu": None if entrant.rating is None else entrant.rating.mu,
                "sigma": None if entrant.rating is None else entrant.rating.sigma,
                "seed": entrant.seed,
                "given_group": entrant.group,
                "drawn": entrant.name in drawn,
            }
            for entrant in season.entrants
        ],
    )
    return entrants.ids_of(tx.conn, tx.season.id)


def _take_seats(
    tx: Transaction, season: Season, players: Mapping[Name, PlayerId], ids: Mapping[Name, EntrantId]
) -> None:
    """Take who sits out which round, and who substitutes."""
    missed = [{"entrant_id": ids[sit_out.name], "round": sit_out.round, "at": tx.now} for sit_out in season.sat_out]
    sat_out.add_many(tx.conn, missed)
    for taken in season.substitutes:
        substitutions.sit_down(
            tx.conn,
            entrant_id=ids[taken.seat],
            player_id=players[taken.player],
            name=taken.player,
            round=taken.round,
            mu=None if taken.rating is None else taken.rating.mu,
            sigma=None if taken.rating is None else taken.rating.sigma,
            former_names=taken.former_names,
        )


def _take_apart(tx: Transaction, file: FileContents, players: Mapping[Name, PlayerId], by: ImportRow) -> None:
    """Keep apart the people the file keeps apart; beyond its season only where that goes on here."""
    season = file.season
    seats = {entrant.name: players[entrant.name] for entrant in season.entrants}
    taken = ((row.seat, row.round, players[row.player]) for row in season.substitutes)
    apart.take(
        tx.conn,
        tx.league.id,
        season.number,
        season.apart,
        apart.sittings(seats, taken),
        goes_on=file.phase in LIVE,
        import_id=by.id,
    )


def _take_round(
    tx: Transaction,
    season: Season,
    round_: Round,
    name: str,
    labels: tuple[Label, ...],
    days: Sequence[date | None],
    ids: Mapping[Name, EntrantId],
    *,
    publish: bool,
    at_once: bool,
) -> None:
    """Take a round as it was played; one of a live season that is still played becomes a preview first."""
    row = rounds.add(
        tx.conn,
        season_id=tx.season.id,
        number=round_.number,
        name=name,
        stage=round_.stage,
        phase=RoundPhase.DRAFT if publish else RoundPhase.CLOSED,
        posted_at=None if publish else tx.now,
        by_hand=round_.by_hand,
        together=at_once,
    )
    pairs = [
        {
            **_columns(match, ids),
            **label_columns(label, ids),
            "confirmed_by": Confirmation.DEPARTURE if lost_by_leaving(season, round_, match) else None,
            "played_on": day and day.isoformat(),
        }
        for match, label, day in zip(round_.matches, labels, days, strict=True)
    ]
    matches.add_round(tx.conn, row.id, pairs=pairs, byes=[{"entrant_id": ids[name]} for name in round_.byes])


def _columns(match: Match, ids: Mapping[Name, EntrantId]) -> dict[str, Any]:
    games, score, points = (pair or (None, None) for pair in (match.games, match.score, match.points))
    return {
        "upper_id": ids[match.upper],
        "lower_id": ids[match.lower],
        "state": MatchState.OPEN if match.kind is Kind.OPEN else MatchState.CONFIRMED,
        "kind": match.kind,
        "winner_id": None if match.winner is None else ids[match.winner],
        "upper_games": games[0],
        "lower_games": games[1],
        "upper_score": score[0],
        "lower_score": score[1],
        "upper_points": points[0],
        "lower_points": points[1],
        "dice_off_id": None if match.dice_off is None else ids[match.dice_off],
        "dice_off_why": (),
        "dice_off_draws": (),
    }


def _take_the_rest(tx: Transaction, season: Season, ids: Mapping[Name, EntrantId]) -> None:
    """Take who left, a bracket and groups that were kept, a ladder, and the orders of an organiser."""
    left = [
        {
            "entrant_id": ids[gone.name],
            "kind": gone.kind,
            "round": gone.round,
            "after_pairing": gone.after_pairing,
            "rejoined": gone.rejoined,
        }
        for gone in season.departures
    ]
    entrants.depart_many(tx.conn, left)
    if season.bracket is not None:
        slots = [None if name is None else ids[name] for name in season.bracket]
        seasons.keep_bracket(tx.conn, slots, tx.season.id)
    if season.groups is not None:
        seasons.keep_groups(tx.conn, [[ids[name] for name in group] for group in season.groups], tx.season.id)
    if season.ladder is not None or season.ladder_of is not None:  # those who aren't in the season count for nothing
        ladder = None if season.ladder is None else [ids[name] for name in season.ladder if name in ids]
        seasons.keep_ladder(tx.conn, ladder, season.ladder_of, tx.season.id)
        before = season_ladders.to_begin_with(tx.conn, tx.season) if tx.season.phase in LIVE else None
        if before is not None:  # then it follows what changes there until this one starts
            tx.change_season(copied_from=before.season)
    for decision in season.decisions:
        seasons.add_decision(tx.conn, tx.season.id, decision.after_round, decision.order)


def _met(season: Season, players: Mapping[Name, PlayerId]) -> list[Meeting]:
    """Return who met in earlier seasons, as a file says it."""
    return [
        (past.number, match.round, players[match.players[0]], players[match.players[1]])
        for past in season.past
        for match in past.matches
    ]


def _take_past(tx: Transaction, season: Season, players: Mapping[Name, PlayerId], by: ImportRow) -> None:
    league_id = tx.league.id
    seasons.hide_past_meetings(tx.conn, by.id, league_id, season.number)
    for past in season.past:
        if not seasons.past_meetings_known(tx.conn, league_id, past.number):
            met = [(match.round, players[match.players[0]], players[match.players[1]]) for match in past.matches]
            seasons.add_past_meetings(tx.conn, league_id, past.number, met, import_id=by.id)
