-- Two people of a league who aren't to be paired: from a round of a season on, until another round (of a later season,
-- too) or until further notice. Why is only in the audit log.
CREATE TABLE apart (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    first_id INTEGER NOT NULL REFERENCES players (id),
    second_id INTEGER NOT NULL REFERENCES players (id) CHECK (second_id <> first_id),
    season INTEGER NOT NULL CHECK (season >= 0),
    round INTEGER NOT NULL CHECK (round >= 1),
    until_season INTEGER CHECK (until_season >= season),
    until_round INTEGER CHECK (until_round >= 1),
    CHECK ((until_season IS NULL) = (until_round IS NULL))
) STRICT;

CREATE INDEX apart_in_league ON apart (league_id);
CREATE INDEX apart_of_first ON apart (first_id);
CREATE INDEX apart_of_second ON apart (second_id);
