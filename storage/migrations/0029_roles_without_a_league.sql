-- Roles the bot gave are taken back when their league is deleted: a promise knows its server, and may have no league.
CREATE TABLE held_roles_now (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    league_id INTEGER REFERENCES leagues (id),
    discord_id INTEGER NOT NULL,
    role_id INTEGER NOT NULL,
    wanted INTEGER NOT NULL DEFAULT 1 CHECK (wanted IN (0, 1)),
    given INTEGER CHECK (given IN (0, 1)),
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    UNIQUE (discord_id, role_id, league_id),
    CHECK (league_id IS NOT NULL OR wanted = 0)
) STRICT;

INSERT INTO held_roles_now (id, guild_id, league_id, discord_id, role_id, wanted, given, due_at, attempts, problem)
SELECT h.id, l.guild_id, h.league_id, h.discord_id, h.role_id, h.wanted, h.given, h.due_at, h.attempts, h.problem
FROM held_roles h JOIN leagues l ON l.id = h.league_id;

DROP TABLE held_roles;
ALTER TABLE held_roles_now RENAME TO held_roles;

CREATE INDEX held_roles_of_league ON held_roles (league_id);
CREATE INDEX held_roles_of_guild ON held_roles (guild_id);
CREATE INDEX held_roles_due ON held_roles (due_at) WHERE given IS NOT wanted;
