-- Who can't take part in a league, until a moment or for good: a row for each account, known by a keyed hash that stays
-- when the person is forgotten, or for a player without one. A member who isn't a player has a name of their own.
CREATE TABLE bans (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    player_id INTEGER REFERENCES players (id),
    fingerprint TEXT CHECK (length(fingerprint) = 64),
    discord_id INTEGER,
    name TEXT,
    reason TEXT,
    until INTEGER,
    CHECK (player_id IS NOT NULL OR fingerprint IS NOT NULL),
    CHECK (discord_id IS NULL OR fingerprint IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX bans_of_accounts ON bans (league_id, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX bans_in_league ON bans (league_id);
CREATE INDEX bans_of_players ON bans (player_id);
CREATE INDEX bans_to_end ON bans (until) WHERE until IS NOT NULL;

-- What a league's fingerprints of accounts are made with.
CREATE TABLE ban_keys (
    league_id INTEGER PRIMARY KEY NOT NULL REFERENCES leagues (id),
    secret TEXT NOT NULL CHECK (length(secret) = 64)
) STRICT;
