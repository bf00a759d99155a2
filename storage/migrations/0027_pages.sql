-- Whether a league's pages are written and its results are public with them.
ALTER TABLE leagues ADD COLUMN site INTEGER NOT NULL DEFAULT 0 CHECK (site IN (0, 1));

CREATE INDEX leagues_with_pages ON leagues (id) WHERE site = 1;
