-- The entrants by first slot of a bracket that had begun when a player of its season was forgotten, null for an empty slot.
ALTER TABLE seasons ADD COLUMN bracket TEXT CHECK (json_array_length(bracket) >= 1);

-- An order counts only for exactly one group of equals, so each tie has its own: those of one round were one order.
CREATE TABLE decisions_new (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    after_round INTEGER NOT NULL CHECK (after_round >= 1),
    names TEXT NOT NULL CHECK (json_valid(names)),
    UNIQUE (season_id, after_round, names)
) STRICT;

INSERT OR REPLACE INTO decisions_new (season_id, after_round, names)
SELECT d.season_id, d.after_round, coalesce(t.names, d.names)
FROM decisions d
LEFT JOIN ties t ON t.season_id = d.season_id AND t.after_round = d.after_round AND t.how <> 'gone'
AND NOT EXISTS (SELECT value FROM json_each(t.names) EXCEPT SELECT value FROM json_each(d.names))
ORDER BY d.id, t.id;

DELETE FROM sqlite_sequence WHERE name = 'decisions_new';
INSERT INTO sqlite_sequence (name, seq)
SELECT 'decisions_new', max(seq, (SELECT coalesce(max(id), 0) FROM decisions_new))
FROM sqlite_sequence WHERE name = 'decisions';

DROP TABLE decisions;
ALTER TABLE decisions_new RENAME TO decisions;
