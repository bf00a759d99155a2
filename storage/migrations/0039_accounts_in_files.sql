-- Discord accounts that imported files name: by its id, which the player was given, or as someone wrote it, a proposal.
CREATE TABLE imported_accounts (
    player_id INTEGER PRIMARY KEY REFERENCES players (id),
    import_id INTEGER NOT NULL REFERENCES imports (id),
    discord_id INTEGER,
    called TEXT,
    CHECK ((discord_id IS NULL) <> (called IS NULL))
) STRICT;

CREATE INDEX accounts_of_import ON imported_accounts (import_id);
