-- Players of rounds that are all open who haven't begun are asked once; then moderators know of them.
CREATE TABLE first_matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL UNIQUE REFERENCES entrants (id),
    asked_at INTEGER NOT NULL,
    until INTEGER,
    silent_at INTEGER,
    settled_at INTEGER
) STRICT;
CREATE INDEX first_matches_asked ON first_matches (until) WHERE silent_at IS NULL AND settled_at IS NULL;
CREATE INDEX first_matches_silent ON first_matches (id) WHERE silent_at IS NOT NULL AND settled_at IS NULL;
