-- A name given while a season is played waits for its end, because its draws use the one before.
ALTER TABLE players ADD COLUMN next_name TEXT CHECK (length(next_name) >= 1);
CREATE INDEX players_to_rename ON players (league_id) WHERE next_name IS NOT NULL;
