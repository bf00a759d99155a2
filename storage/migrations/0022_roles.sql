-- Roles the bot gives: to everyone in the season, and to the champion. `roles_seen` is the newest line of the audit log
-- after which it was looked at who should have them; without it the league never had such a role.
ALTER TABLE leagues ADD COLUMN participant_role_id INTEGER;
ALTER TABLE leagues ADD COLUMN champion_role_id INTEGER;
ALTER TABLE leagues ADD COLUMN roles_seen INTEGER;

CREATE INDEX leagues_with_roles ON leagues (id) WHERE roles_seen IS NOT NULL;

-- Who has, or is to have, a role through the bot: promised while `given` differs from `wanted`; NULL is not known.
CREATE TABLE held_roles (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    discord_id INTEGER NOT NULL,
    role_id INTEGER NOT NULL,
    wanted INTEGER NOT NULL DEFAULT 1 CHECK (wanted IN (0, 1)),
    given INTEGER CHECK (given IN (0, 1)),
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    UNIQUE (discord_id, role_id, league_id)
) STRICT;

CREATE INDEX held_roles_of_league ON held_roles (league_id);
CREATE INDEX held_roles_due ON held_roles (due_at) WHERE given IS NOT wanted;
