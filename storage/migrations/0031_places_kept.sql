-- A place is offered and its question is sent at two moments; where the clock went back between them, the time to answer
-- can end before the offer.
CREATE TABLE waitlist_now (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    asked_at INTEGER,
    until INTEGER CHECK (until IS NULL OR asked_at IS NOT NULL),
    UNIQUE (season_id, player_id)
) STRICT;

INSERT INTO waitlist_now (id, season_id, player_id, asked_at, until)
SELECT id, season_id, player_id, asked_at, until FROM waitlist;

DELETE FROM sqlite_sequence WHERE name = 'waitlist_now';
INSERT INTO sqlite_sequence (name, seq) SELECT 'waitlist_now', seq FROM sqlite_sequence WHERE name = 'waitlist';

DROP TABLE waitlist;
ALTER TABLE waitlist_now RENAME TO waitlist;

CREATE INDEX waiting_players ON waitlist (player_id);
CREATE INDEX places_to_lapse ON waitlist (until) WHERE until IS NOT NULL;
