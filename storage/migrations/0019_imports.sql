-- One import of past seasons: what is there because of it, so that it can be taken back.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX imports_of_league ON imports (league_id);

CREATE TABLE imported_seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL UNIQUE REFERENCES seasons (id),
    import_id INTEGER NOT NULL REFERENCES imports (id)
) STRICT;

CREATE INDEX seasons_of_import ON imported_seasons (import_id);

CREATE TABLE imported_players (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL UNIQUE REFERENCES players (id),
    import_id INTEGER NOT NULL REFERENCES imports (id)
) STRICT;

CREATE INDEX players_of_import ON imported_players (import_id);

-- A name in files that an organiser said is this player: it isn't asked about again.
CREATE TABLE aliases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    name TEXT NOT NULL CHECK (length(name) >= 1),
    player_id INTEGER NOT NULL REFERENCES players (id),
    import_id INTEGER NOT NULL REFERENCES imports (id),
    UNIQUE (league_id, name)
) STRICT;

CREATE INDEX aliases_of_player ON aliases (player_id);
CREATE INDEX aliases_of_import ON aliases (import_id);

-- The newest import of its league when a season started: it goes by what was known then.
ALTER TABLE seasons ADD COLUMN newest_import INTEGER NOT NULL DEFAULT 0;

-- Meetings of a season that has been imported itself since.
ALTER TABLE past_meetings ADD COLUMN hidden_by INTEGER REFERENCES imports (id);

CREATE INDEX past_meetings_hidden ON past_meetings (hidden_by);

-- Who had met whom in earlier seasons when a season started.
CREATE TABLE met_before (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    past INTEGER NOT NULL CHECK (past >= 0),
    round INTEGER CHECK (round >= 1),
    first_id INTEGER NOT NULL REFERENCES players (id),
    second_id INTEGER NOT NULL REFERENCES players (id)
) STRICT;

CREATE INDEX met_before_season ON met_before (season_id);
CREATE INDEX met_before_first ON met_before (first_id);
CREATE INDEX met_before_second ON met_before (second_id);

INSERT INTO met_before (season_id, past, round, first_id, second_id)
SELECT n.id, s.number, r.number,
    coalesce((SELECT player_id FROM substitutes WHERE entrant_id = u.id AND round <= r.number
        ORDER BY round DESC LIMIT 1), u.player_id),
    coalesce((SELECT player_id FROM substitutes WHERE entrant_id = l.id AND round <= r.number
        ORDER BY round DESC LIMIT 1), l.player_id)
FROM seasons n JOIN seasons s ON s.league_id = n.league_id AND s.number BETWEEN n.number - 2 AND n.number - 1
JOIN rounds r ON r.season_id = s.id JOIN matches m ON m.round_id = r.id
JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id
WHERE n.started_at IS NOT NULL AND n.format <> 'record' AND r.phase <> 'draft';

INSERT INTO met_before (season_id, past, round, first_id, second_id)
SELECT n.id, p.season, p.round, p.first_id, p.second_id
FROM seasons n JOIN past_meetings p ON p.league_id = n.league_id AND p.season BETWEEN n.number - 2 AND n.number - 1
WHERE n.started_at IS NOT NULL AND n.format <> 'record';
