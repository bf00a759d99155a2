-- Rounds of a round robin that are all played at once: several of a season are open together.
ALTER TABLE rounds ADD COLUMN together INTEGER NOT NULL DEFAULT 0 CHECK (together IN (0, 1));
DROP INDEX one_round_at_a_time;
CREATE UNIQUE INDEX one_round_at_a_time ON rounds (season_id) WHERE phase IN ('draft', 'open') AND together = 0;
CREATE INDEX rounds_going_on ON rounds (season_id, number) WHERE phase IN ('draft', 'open');
