-- The day a match of an imported season was played, as the file says it.
ALTER TABLE matches ADD COLUMN played_on TEXT CHECK (played_on IS date(played_on));
