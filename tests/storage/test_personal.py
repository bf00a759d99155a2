"""Forgetting a person misses no table: each text of the schema is deleted, renamed, or can't name a person."""

import re

from storage import personal
from storage.belonging import referring
from storage.database import Database
from storage.tables.field import entrants
from storage.tables.people import players
from tests.files import change_by_hand, look_into
from tests.storage.scene import Scene

DELETED_OR_SET = {
    "availability.time_zone", "availability.hours", "players.name", "player_names.name", "player_names.name_key",
    "player_names.skeleton", "players.next_name",
    "notify.topic", "notify.how", "entrants.name", "entrants.former_names", "substitutes.name",
    "substitutes.former_names", "lists.key", "lists.text", "lists.sha256", "time_proposals.starts",
    "time_proposals.answer", "aliases.name", "imported_accounts.called",
    "signup_answers.answer", "merges.moved", "merges.as_left",
    "imported_seasons.digest", "imported_seasons.ratings",
}  # fmt: skip
NAMELESS = {
    "leagues.name", "leagues.name_key", "leagues.time_zone", "seasons.format", "seasons.settings", "seasons.salt",
    "seasons.bracket", "seasons.groups", "seasons.ladder", "seasons.ladder_of", "seasons.salt_kind",
    "imported_seasons.first_day", "imported_seasons.last_day",
    "seasons.phase", "departures.kind", "stay_decisions.reason", "stay_decisions.how",
    "rounds.stage", "rounds.name", "rounds.phase",
    "finals_places.how",
    "maps.place", "maps.name", "maps.link", "matches.name", "matches.state", "matches.kind", "matches.confirmed_by",
    "matches.tier", "matches.played_on", "threads.people", "threads.lost", "reports.result", "takebacks.reports",
    "problems.kind", "problems.how", "ties.how", "outbox.key", "outbox.kind", "outbox.target", "outbox.state",
    "audit.action",
    "arrivals.source", "signup_answers.question", "disputes.says",
    "bans.fingerprint", "ban_keys.secret", "held_roles.problem",
    "calendar_entries.uid",
    "sealed_salts.commitment", "sealed_salts.secret", "fingerprints.value",
}  # fmt: skip
"""Words from code, and what organisers call leagues and maps; who is in a thread is forgotten with their account."""


def test_what_changed_after_it_moved_is_the_first_persons_again_as_it_is_now(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        gone = entrants.get(conn, scene.people[0]).player_id
        other = players.add(conn, league_id=scene.league, discord_id=9, name="p9", name_key="p9").id
        moving = personal.Moving(
            conn, league=scene.league, gone=gone, into=other, seasons_of_gone={scene.season: 1}, seasons_of_into={}
        )
        moving.move("entrants")
        assert entrants.get(conn, scene.people[0]).player_id == other
        entrants.change(conn, scene.people[0], seed=3)
        personal.take_back(conn, moving.noted())
        back = entrants.get(conn, scene.people[0])
        assert (back.player_id, back.seed) == (gone, 3)


def test_every_text_that_can_name_a_person_is_known(db: Database) -> None:
    with look_into(db) as conn:
        tables = [row[0] for row in conn.execute_fetchall("SELECT name FROM sqlite_master WHERE type = 'table'")]
        texts = {
            f"{table}.{column[1]}"
            for table in tables
            if not table.startswith("sqlite_")
            for column in conn.execute_fetchall("SELECT * FROM pragma_table_info(?)", (table,))
            if column[2] in ("TEXT", "BLOB")
        }
    naming = {f"{table}.{column}" for table, (columns, _) in personal.NAMING.items() for column in columns}
    assert texts == naming | DELETED_OR_SET | NAMELESS
    assert not naming & (DELETED_OR_SET | NAMELESS)


def test_tables_in_which_a_forgotten_person_stays_are_about_people(db: Database) -> None:
    with look_into(db) as conn:
        about_people = {table for table, _ in referring(conn, "players")}
    assert about_people > personal.STAYS


def test_every_discord_id_of_a_person_is_known(db: Database) -> None:
    """Who has a role through the bot is kept until it's taken, which the clock sees to once they are forgotten."""
    with look_into(db) as conn:
        schema = conn.execute_fetchall("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    ids = {
        f"{name}.{column}"
        for name, sql in schema
        for column in re.findall(r"^ +(discord_id|actor_id|person_id|created_by) INTEGER", sql or "", re.MULTILINE)
    }
    assert ids == {
        "availability.discord_id", "players.discord_id", "links.discord_id", "leagues.created_by", "audit.actor_id",
        "outbox.person_id", "bans.discord_id", "claims.discord_id",
        "imported_accounts.discord_id", "held_roles.discord_id",
    }  # fmt: skip
