-- Two league names that were one person: who stayed, and all that moved or went, so that it can be taken back.
CREATE TABLE merges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    into_id INTEGER NOT NULL REFERENCES players (id),
    at INTEGER NOT NULL,
    -- The first season either of them played: ratings noted at the start of later ones don't count any more.
    season INTEGER,
    moved TEXT NOT NULL CHECK (json_valid(moved)),
    as_left TEXT NOT NULL CHECK (json_valid(as_left))
) STRICT;

CREATE INDEX merges_in_league ON merges (league_id);
CREATE INDEX merges_into ON merges (into_id);
