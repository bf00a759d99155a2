-- Players who asked to join a season in which organisers let each one in; one who stopped waiting has no `accepted`.
CREATE TABLE join_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    accepted INTEGER CHECK (accepted IN (0, 1)),
    CHECK (answered_at IS NOT NULL OR accepted IS NULL)
) STRICT;

CREATE UNIQUE INDEX one_join_request_at_a_time ON join_requests (season_id, player_id) WHERE answered_at IS NULL;
CREATE INDEX join_requests_of_season ON join_requests (season_id);
CREATE INDEX join_requests_of_player ON join_requests (player_id);
