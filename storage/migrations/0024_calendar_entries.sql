-- What each calendar file that was handed out says: a later file raises the sequence of what moved, and calls off what is
-- gone. A player has one file for all leagues of a server; without a player it's the organisers' file of the season.
CREATE TABLE calendar_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER REFERENCES players (id),
    uid TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    cancelled INTEGER NOT NULL CHECK (cancelled IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX one_calendar_entry_a_file ON calendar_entries (uid, coalesce(player_id, 0));
CREATE INDEX calendar_entries_of_season ON calendar_entries (season_id, player_id);
CREATE INDEX calendar_entries_of_player ON calendar_entries (player_id);
