-- A tie-break match of two is reported by its players: who says that they won, until the other confirms or disputes it.
CREATE TABLE tie_reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tie_id INTEGER NOT NULL UNIQUE REFERENCES ties (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    reported_at INTEGER NOT NULL,
    counts_at INTEGER,
    disputed_at INTEGER
) STRICT;

CREATE INDEX reports_of_ties_due ON tie_reports (counts_at) WHERE disputed_at IS NULL;
CREATE INDEX reports_of_ties_by_player ON tie_reports (entrant_id);
