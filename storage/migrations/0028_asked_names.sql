-- What players answered to a question at sign-up, for their opponents; `question` is the key of its words, so that other
-- words ask again. The answers are shown in threads that were made `private`.
CREATE TABLE asked_names (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL REFERENCES players (id),
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    UNIQUE (player_id, question)
) STRICT;

ALTER TABLE threads ADD COLUMN private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1));
