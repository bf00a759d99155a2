"""A season's plan: prepared where nobody sees it, then open for sign-ups; what can still change, and who is told."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from bot.league.errors import Conflict, Invalid, WrongPhase
from bot.league.formats import ALL, by_key
from bot.league.season.phases import PLAYING, SeasonPhase, require_move
from bot.league.season.setting_values import SEALED
from bot.league.season.settings import SETTINGS
from bot.services.base.events import SettingsChanged
from bot.services.base.order import Order
from bot.services.base.outbox import NOTICE, NoticeFacts
from bot.services.base.transaction import (
    ORGANISER,
    ReadTransaction,
    Transaction,
    Which,
    live,
    numbered,
    prepared_if_any,
    transaction,
)
from bot.services.play import progression
from bot.services.play.field.eligibility import settings_in_the_way, wrong_groups
from bot.services.seasons import invitations
from bot.services.seasons.plans import (
    Plan,
    chosen,
    of_schedule,
    over_before,
    plan_of,
    problems,
    require_current,
)
from storage import rules_season
from storage.database import Connection
from storage.facts import read
from storage.rows import SeasonRow
from storage.tables import proofs, seasons
from storage.tables.field import entrants
from storage.tables.outbox import outbox_rows

_GATHERED = timedelta(minutes=2)
"""How long the post about a change waits for the next one."""


HIGHEST_NUMBER = 10_000
"""The number a league's first season can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFacts(NoticeFacts):
    """Changed rules, told with those to come soon after: the columns of the season as players know it."""

    was: Mapping[str, Any] | None = None


def prepare(
    conn: Connection,
    order: Order,
    *,
    format: str,
    signups_close: datetime | None = None,
    copy_from: int | None = None,
    number: int | None = None,
) -> Plan:
    """Save an unpublished season, perhaps with the settings of an earlier one; only organisers see it.

    Its draw is sealed, unless it's copied from one that isn't protected at all.
    A league's first season can be given a `number`.
    """
    tx = transaction(conn, order, by=ORGANISER)
    _require_none_prepared(tx)
    _require_first(tx, number)
    _require_played(format)
    _require_ahead(signups_close, order.now)
    earlier = None if copy_from is None else numbered(copy_from)(tx)
    tx.about(
        seasons.add(
            tx.conn,
            league_id=tx.league.id,
            number=None,
            wanted_number=number,
            format=format,
            **_columns(format, _before_any(earlier), {}),
            phase=SeasonPhase.UNPUBLISHED,
            copied_from=copy_from,
            signups_close=signups_close,
        )
    )
    tx.note("season.create", "the next season", after=_state(tx.season))
    return plan_of(tx, order.now)


def _before_any(earlier: SeasonRow | None) -> dict[str, Any]:
    """Return the settings of a new season that no one has chosen yet; a salt of names alone becomes a sealed one."""
    begins = {setting.key: setting.begins for setting in SETTINGS.values() if setting.begins is not None}
    if earlier is None:
        return begins
    copied = chosen(earlier)
    return {**copied, **{key: value for key, value in begins.items() if key in copied}}


def _require_none_prepared(tx: Transaction) -> None:
    if seasons.unpublished(tx.conn, tx.league.id) is not None:
        raise Conflict(
            "The next season is already prepared. /season settings shows it, and its button Discard deletes it."
        )


def _require_first(tx: Transaction, number: int | None) -> None:
    numbers = seasons.numbers(tx.conn, tx.league.id)
    if number is not None and numbers:
        raise Conflict(
            f"Only a league's first season can be given a number. This one will be season {numbers[0] + 1}."
            " Leave the option number out."
        )
    if number is not None and not 1 <= number <= HIGHEST_NUMBER:
        raise Invalid(f"Number: give one from 1 to {HIGHEST_NUMBER}, such as 7 after six seasons elsewhere.")


def _require_played(format: str) -> None:
    if format not in [format_.key for format_ in ALL]:
        raise Invalid(f"There's no format {format!r} to play. Choose one of {', '.join(f.key for f in ALL)}.")


def open_signups(conn: Connection, order: Order, *, seen: int | None = None) -> SeasonRow:
    """Give the prepared season its number and post its sign-ups; raises Conflict naming what is in the way."""
    tx = transaction(conn, order, _prepared("open. /season create prepares one"), by=ORGANISER)
    require_current(tx.season, seen)
    wrong = problems(tx, order.now)
    if wrong:
        raise Conflict(f"Sign-ups can't open yet. {' '.join(wrong)}")
    require_move(tx.season.phase, SeasonPhase.SIGNUP)
    _seal(tx)
    before, number = tx.season, seasons.next_number(tx.conn, tx.league.id)
    tx.change_season(phase=SeasonPhase.SIGNUP, number=number, last_day=_told_already(tx))
    tx.note("season.open", f"season {number}", after=_state(tx.season))
    tx.happened(SettingsChanged(before=before))
    tx.show_season()
    invitations.invite(tx)
    return tx.season


def _seal(tx: Transaction) -> None:
    """Draw the secret of a salt that is sealed: its commitment is shown from now on."""
    if tx.season.salt_kind == SEALED:
        proofs.draw_secret(tx.conn, tx.season.id)


def _told_already(tx: Transaction) -> datetime | None:
    """Return the closing time where it's less than a day away: then there's no day before it to say more."""
    closing = tx.season.signups_close
    return closing if closing is not None and closing <= tx.now + timedelta(days=1) else None


def discard(conn: Connection, order: Order, *, seen: int | None = None) -> None:
    """Delete the prepared season; nobody has seen it, and it used no number."""
    tx = transaction(conn, order, _prepared("discard"), by=ORGANISER)
    require_current(tx.season, seen)
    discard_prepared(tx)


def discard_prepared(tx: Transaction) -> SeasonRow:
    """Cancel the prepared season and return it as it was."""
    before = tx.season
    tx.change_season(phase=SeasonPhase.CANCELLED, ended_at=tx.now, signups_close=None)
    tx.note("season.discard", "the next season", before=_state(before))
    return before


def change_settings(
    conn: Connection,
    order: Order,
    *,
    number: int | None = None,
    seen: int | None = None,
    settings: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Plan:
    """Change settings (None: the default), or `format`, `signups_close`; after the start only what changes no pairing.

    What keeps round 1 from being paired can change, too.

    It is the prepared season if there is one and no `number` says otherwise. `seen` is the version a panel showed;
    raises Conflict for an older one.
    """
    tx = transaction(conn, order, _to_change(number), by=ORGANISER)
    before = tx.season
    require_current(tx.season, seen)
    if before.phase in PLAYING:
        _require_harmless(tx, {**(settings or {}), **columns})
    _require_ahead(columns.get("signups_close"), order.now)
    format_ = columns.get("format", before.format)
    _require_played(format_)
    _require_some(tx, settings or {})
    kept = _columns(format_, chosen(before), settings or {})
    published = before.phase is not SeasonPhase.UNPUBLISHED
    wrong = wrong_groups(tx) if before.phase is SeasonPhase.SIGNUP else ""
    if published:
        _require_seats(tx, by_key(format_).read_settings(kept["settings"]).max_players)
    if tx.change_season(**columns, **kept) == before:
        return plan_of(tx, order.now)
    if tx.season.phase is SeasonPhase.SIGNUP:
        _require_groups(tx, wrong)
        _seal(tx)
    _require_schedule(tx, before)
    name = f"season {before.number}" if published else "the next season"
    tx.note("season.settings", name, before=_state(before), after=_state(tx.season))
    if published:
        tx.happened(SettingsChanged(before=before))
        _tell_changes(tx, before)
    return plan_of(tx, order.now)


def _prepared(to: str) -> Which:
    """Say that the prepared season is meant, `to` do this with it; raises WrongPhase for none."""

    def find(tx: ReadTransaction) -> SeasonRow:
        season = prepared_if_any(tx)
        if season is None:
            raise WrongPhase(f"There's no prepared season to {to}.")
        return season

    return find


def _to_change(number: int | None) -> Which:
    """Say which season's settings change: by its number, else the prepared one, else the live one."""

    def find(tx: ReadTransaction) -> SeasonRow:
        season = (prepared_if_any(tx) if number is None else None) or live(tx)
        if number not in (None, season.number):
            raise WrongPhase(f"Season {number} is over, so its settings can't change.")
        return season

    return find


def _columns(format: str, before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of settings chosen earlier and now, as far as a format has them; raises Invalid.

    Each is possible by itself; whether they are together is seen when sign-ups open.
    """
    keys = by_key(format).settings_keys
    for key, value in given.items():
        if key not in keys:
            raise Invalid(f"{by_key(format).title} doesn't have this setting. See /season settings.", place=key)
        if key == "salt" and value not in (None, SEALED):  # choosing its text would be choosing the draw
            raise Invalid("Its text is made when sign-ups close. Choose off or sealed.", place=key)
        if value is not None:
            SETTINGS[key].require(value)
    merged = {key: value for key, value in {**before, **given}.items() if key in keys and value is not None}
    return {"salt_kind": merged.pop("salt", None), "settings": merged}


def _require_harmless(tx: Transaction, given: Mapping[str, Any]) -> None:
    season, in_the_way = tx.season, settings_in_the_way(tx)
    changed = [key for key in given if key not in SETTINGS or chosen(season).get(key) != given[key]]
    free = [key for key, setting in SETTINGS.items() if not setting.changes_pairings or key in in_the_way]
    fixed = [key for key in changed if key not in free]
    if fixed:
        raise WrongPhase(
            f"{', '.join(fixed)}: fixed since season {season.number} started."
            f" Only {', '.join(free)} can change while it's running."
        )


def _require_some(tx: Transaction, given: Mapping[str, Any]) -> None:
    """Raise Invalid where the role members need to join is everyone's."""
    if given.get("join_role") == tx.league.guild_id:
        raise Invalid("Role to join: everyone has @everyone. Choose another role, or none.")


def _require_seats(tx: Transaction, limit: int | None) -> None:
    count = sum(entrant.active for entrant in entrants.of_season(tx.conn, tx.season.id))
    if limit is not None and limit < count:
        raise Conflict(f"max_players: {count} are already in season {tx.season.number}. Choose at least that many.")


def _require_groups(tx: Transaction, before: str) -> None:
    """Raise Conflict where the season could start before a change, and can't any more."""
    wrong = wrong_groups(tx)
    if wrong not in ("", before):
        raise Conflict(wrong)


def _require_schedule(tx: Transaction, before: SeasonRow) -> None:
    """Raise Conflict where a season that is published goes with its schedule no more."""
    if before.phase is SeasonPhase.UNPUBLISHED:
        return
    wrong = [sentence for sentence in of_schedule(tx.season) if sentence not in of_schedule(before)]
    if tx.settings.stage_ends != rules_season.settings_of(before).stage_ends:
        if before.phase in PLAYING:
            wrong.append("Stage ends: all rounds are posted. /round extend moves their deadline.")
        wrong += over_before(tx, tx.season.signups_close or tx.now)
    if wrong:
        raise Conflict(wrong[0])


def _tell_changes(tx: Transaction, before: SeasonRow) -> None:
    """Tell players which rules of their season changed, and continue it where that matters.

    Changes made soon after each other are told in one post.
    """
    changes = _untold(tx, before)
    changed = _changes(changes, tx.season)
    if changed:
        text = f"The rules of season {before.number} have changed. {' '.join(changed)} /rules shows all of them."
        was = {"format": changes.format, "settings": dict(changes.settings), "salt_kind": changes.salt_kind}
        tx.enqueue(NOTICE, ChangedFacts(text=text, was=was), due_at=tx.now + _GATHERED)
    tx.invalidate()
    progression.advance(tx)
    tx.reload()


def _untold(tx: Transaction, before: SeasonRow) -> SeasonRow:
    """Return the season as players know it, and cancel the post that would have told the changes since."""
    for post in outbox_rows.to_come(tx.conn, before.id, NOTICE, tx.now):
        if (was := read(ChangedFacts, post.facts).was) is not None:
            outbox_rows.drop(tx.conn, post.id)
            return replace(before, **was)
    return before


def _changes(before: SeasonRow, after: SeasonRow) -> list[str]:
    """Return what changed between two states of a season that its players signed up for."""
    old, new = (by_key(season.format).read_settings(chosen(season)) for season in (before, after))
    changes = [] if before.format == after.format else [f"The format is now {by_key(after.format).title}."]
    for key in by_key(after.format).settings_keys:
        setting, was, now = SETTINGS[key], getattr(old, key), getattr(new, key)
        if was != now and setting.announced:
            changes.append(f"{setting.line(now)} (was {setting.words(was)}).")
    return changes


def _state(season: SeasonRow) -> dict[str, Any]:
    closing = season.signups_close
    return {
        "format": season.format,
        "settings": chosen(season),
        "signups_close": closing and closing.isoformat(),
    }


def _require_ahead(moment: datetime | None, now: datetime) -> None:
    if moment is not None and moment <= now:
        raise Invalid("signups_close: that time has passed. Try 3d or 12h.")
