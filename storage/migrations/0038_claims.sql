-- Someone says that an account without a player is a player of the past without an account; organisers answer.
CREATE TABLE claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    discord_id INTEGER NOT NULL,
    called TEXT NOT NULL,
    answer TEXT,
    page INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    accepted INTEGER CHECK (accepted IN (0, 1)),
    CHECK (accepted IS NULL OR answered_at IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX one_open_claim ON claims (season_id, discord_id) WHERE answered_at IS NULL;
CREATE INDEX claims_of_player ON claims (player_id);
CREATE INDEX claims_of_page ON claims (season_id, page);
