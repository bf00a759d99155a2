-- What was there when an import was done, so that what has come since is known.
ALTER TABLE imports ADD COLUMN newest_name INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN newest_merge INTEGER NOT NULL DEFAULT 0;

-- What an import of a league file brought beside its season, for taking it back.
ALTER TABLE player_names ADD COLUMN import_id INTEGER REFERENCES imports (id);
ALTER TABLE past_meetings ADD COLUMN import_id INTEGER REFERENCES imports (id);
ALTER TABLE apart ADD COLUMN import_id INTEGER REFERENCES imports (id);

CREATE INDEX names_of_import ON player_names (import_id);
CREATE INDEX past_meetings_of_import ON past_meetings (import_id);
CREATE INDEX apart_of_import ON apart (import_id);
