-- A thread can be about several matches: those of a group whose matches are all open at once. `threads.match_id` is its
-- first match, and the post that makes the thread is about that one.
CREATE TABLE thread_matches (
    match_id INTEGER PRIMARY KEY REFERENCES matches (id),
    thread INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX thread_matches_of ON thread_matches (thread);

INSERT INTO thread_matches (match_id, thread) SELECT match_id, id FROM threads;
