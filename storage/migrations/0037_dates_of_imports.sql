-- When an imported season was played, as its file says, in days; whether its number goes by that; and what its matches
-- are in short, so that the same file is noticed when it comes a second time.
ALTER TABLE imported_seasons ADD COLUMN first_day TEXT;
ALTER TABLE imported_seasons ADD COLUMN last_day TEXT;
ALTER TABLE imported_seasons ADD COLUMN by_date INTEGER NOT NULL DEFAULT 0 CHECK (by_date IN (0, 1));
ALTER TABLE imported_seasons ADD COLUMN digest TEXT;

-- The numbers imported seasons had before they made room for a later import.
CREATE TABLE moved_seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER NOT NULL REFERENCES imports (id),
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    number INTEGER NOT NULL CHECK (number >= 0)
) STRICT;

CREATE INDEX moved_by_import ON moved_seasons (import_id);
CREATE INDEX moves_of_season ON moved_seasons (season_id);
