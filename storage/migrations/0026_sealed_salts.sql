-- The salt of a season can be sealed: of a secret drawn when its sign-ups open, shown when round 1 is first paired.
ALTER TABLE seasons ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0 CHECK (sealed IN (0, 1));

CREATE TABLE sealed_salts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    commitment TEXT NOT NULL,
    secret TEXT
) STRICT;

CREATE UNIQUE INDEX sealed_salts_of_season ON sealed_salts (season_id);

-- Whether a person's name was replaced: nothing made of names can be compared any more.
ALTER TABLE seasons ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1));
UPDATE seasons SET forgotten = 1
WHERE id IN (SELECT season_id FROM rounds WHERE by_hand = 'a player was forgotten');

-- Fingerprints that were shown: in the news of which round, and which news says that one no longer counts.
CREATE TABLE fingerprints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    round INTEGER NOT NULL,
    value TEXT NOT NULL,
    told_in INTEGER NOT NULL,
    void_in INTEGER
) STRICT;

CREATE INDEX fingerprints_of_season ON fingerprints (season_id);
