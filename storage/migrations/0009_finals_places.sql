-- A player who enters the finals because another left before them is asked whether they play, and the finals wait for it
-- until they are posted (posted_at).
CREATE TABLE finals_places (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL UNIQUE REFERENCES entrants (id),
    asked_at INTEGER NOT NULL,
    latest INTEGER,
    until INTEGER,
    answered_at INTEGER,
    how TEXT CHECK (how IN ('plays', 'declined', 'silent', 'gone')),
    posted_at INTEGER,
    CHECK ((answered_at IS NULL) = (how IS NULL))
) STRICT;

CREATE INDEX finals_places_to_lapse ON finals_places (until) WHERE answered_at IS NULL;
