-- Whether another post can have a post's key stood in the key itself.
CREATE TABLE outbox_now (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    season_id INTEGER REFERENCES seasons (id),
    round_id INTEGER REFERENCES rounds (id),
    match_id INTEGER REFERENCES matches (id),
    target TEXT NOT NULL CHECK (target IN ('league', 'moderation', 'person')),
    person_id INTEGER,
    facts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(facts)),
    state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'done', 'failed', 'withdrawn')),
    wanted INTEGER NOT NULL DEFAULT 1,
    shown INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    expires_at INTEGER CHECK (expires_at > created_at),
    attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    failed_at INTEGER,
    channel_id INTEGER,
    message_id INTEGER,
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    edited_at INTEGER,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    gone INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
    CHECK (target <> 'person' OR person_id IS NOT NULL),
    CHECK (state <> 'done' OR (message_id IS NOT NULL AND shown = wanted)),
    CHECK (state <> 'failed' OR (failed_at IS NOT NULL AND problem IS NOT NULL))
) STRICT;

INSERT INTO outbox_now (
    id, key, kind, league_id, season_id, round_id, match_id, target, person_id, facts, state, wanted, shown, due_at,
    expires_at, attempts, problem, failed_at, channel_id, message_id, created_at, sent_at, edited_at, removed, gone,
    failing_since, superseded
)
SELECT
    id, coalesce(substr(key, 1, length(key) - length(mark)), key), kind, league_id, season_id, round_id, match_id, target,
    person_id, facts, state, wanted, shown, due_at, expires_at, attempts, problem, failed_at, channel_id, message_id,
    created_at, sent_at, edited_at, removed, gone, failing_since, mark IS NOT NULL
FROM (
    SELECT *, CASE
        WHEN key LIKE '%:gone:' || id THEN ':gone:' || id
        WHEN key LIKE '%:down:' || id THEN ':down:' || id
        WHEN key LIKE '%:withdrawn:' || id THEN ':withdrawn:' || id
        WHEN key LIKE '%:forgotten:' || id THEN ':forgotten:' || id
    END AS mark
    FROM outbox
);

DELETE FROM sqlite_sequence WHERE name = 'outbox_now';
INSERT INTO sqlite_sequence (name, seq) SELECT 'outbox_now', seq FROM sqlite_sequence WHERE name = 'outbox';

DROP TABLE outbox;
ALTER TABLE outbox_now RENAME TO outbox;

CREATE UNIQUE INDEX one_post_a_key ON outbox (key) WHERE superseded = 0;
CREATE INDEX outbox_of_key ON outbox (key);
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_to_lapse ON outbox (expires_at) WHERE state IN ('due', 'failed');
CREATE INDEX outbox_failed ON outbox (league_id) WHERE state = 'failed';
CREATE INDEX outbox_to_try ON outbox (due_at) WHERE state = 'failed';
CREATE INDEX outbox_missing ON outbox (league_id) WHERE state IN ('due', 'failed') AND problem IS NOT NULL;
CREATE INDEX outbox_troubles ON outbox (league_id) WHERE kind = 'trouble' AND removed = 0;
CREATE INDEX outbox_waiting ON outbox (league_id) WHERE kind = 'waiting' AND removed = 0;
CREATE INDEX outbox_of_league ON outbox (league_id);
CREATE INDEX outbox_of_season ON outbox (season_id);
CREATE INDEX outbox_of_round ON outbox (round_id);
CREATE INDEX outbox_of_match ON outbox (match_id);
CREATE INDEX outbox_of_message ON outbox (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX outbox_threads_over ON outbox (channel_id) WHERE kind = 'thread-over';
CREATE INDEX outbox_corrections ON outbox (match_id) WHERE kind = 'correction' AND removed = 0;
