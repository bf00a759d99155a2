-- The tables as they are: a new file is made of this, an older one by the steps beside it.
-- Times are seconds since 1970 in UTC; columns of JSON hold plain values. Ids are never used again (AUTOINCREMENT):
-- buttons outlive the rows they were made for, and servers that move to another database keep theirs.

-- A name in files that an organiser said is this player: it isn't asked about again.
CREATE TABLE aliases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    name TEXT NOT NULL CHECK (length(name) >= 1),
    player_id INTEGER NOT NULL REFERENCES players (id),
    import_id INTEGER NOT NULL REFERENCES imports (id),
    UNIQUE (league_id, name)
) STRICT;
CREATE INDEX aliases_of_import ON aliases (import_id);
CREATE INDEX aliases_of_player ON aliases (player_id);

-- Two people of a league who aren't to be paired: from a round of a season on, until another round (of a later
-- season, too) or until further notice. Why is only in the audit log.
CREATE TABLE apart (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    first_id INTEGER NOT NULL REFERENCES players (id),
    second_id INTEGER NOT NULL REFERENCES players (id) CHECK (second_id <> first_id),
    season INTEGER NOT NULL CHECK (season >= 0),
    round INTEGER NOT NULL CHECK (round >= 1),
    until_season INTEGER CHECK (until_season >= season),
    until_round INTEGER CHECK (until_round >= 1),
    import_id INTEGER REFERENCES imports (id),
    CHECK ((until_season IS NULL) = (until_round IS NULL))
) STRICT;
CREATE INDEX apart_in_league ON apart (league_id);
CREATE INDEX apart_of_first ON apart (first_id);
CREATE INDEX apart_of_import ON apart (import_id);
CREATE INDEX apart_of_second ON apart (second_id);

-- Servers that are being moved here from another database: no bot starts on this one until that is finished.
CREATE TABLE arrivals (
    guild_id INTEGER PRIMARY KEY,
    source TEXT NOT NULL
) STRICT;

-- Who changed what in a league, when and why: a line is never changed, but for names of people who are forgotten.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    season_id INTEGER REFERENCES seasons (id),
    at INTEGER NOT NULL,
    actor_id INTEGER,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    before TEXT CHECK (before IS NULL OR json_valid(before)),
    after TEXT CHECK (after IS NULL OR json_valid(after)),
    reason TEXT
) STRICT;
CREATE INDEX audit_actions ON audit (league_id, action);
CREATE INDEX audit_of_league ON audit (league_id, id);
CREATE INDEX audit_of_season ON audit (season_id);

-- A person's time zone and the weekly hours in which they can play, the same in all leagues; `hours` as they are
-- shown.
CREATE TABLE availability (
    discord_id INTEGER PRIMARY KEY,
    time_zone TEXT NOT NULL CHECK (time_zone <> ''),
    hours TEXT NOT NULL DEFAULT ''
) STRICT;

-- What a league's fingerprints of accounts are made with.
CREATE TABLE ban_keys (
    league_id INTEGER PRIMARY KEY NOT NULL REFERENCES leagues (id),
    secret TEXT NOT NULL CHECK (length(secret) = 64)
) STRICT;

-- Who can't take part in a league, until a moment or for good: a row for each account, known by a keyed hash that
-- stays when the person is forgotten, or for a player without one. A member who isn't a player has a name of their
-- own.
CREATE TABLE bans (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    player_id INTEGER REFERENCES players (id),
    fingerprint TEXT CHECK (length(fingerprint) = 64),
    discord_id INTEGER,
    name TEXT,
    reason TEXT,
    until INTEGER,
    CHECK (player_id IS NOT NULL OR fingerprint IS NOT NULL),
    CHECK (discord_id IS NULL OR fingerprint IS NOT NULL)
) STRICT;
CREATE INDEX bans_in_league ON bans (league_id);
CREATE UNIQUE INDEX bans_of_accounts ON bans (league_id, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX bans_of_players ON bans (player_id);
CREATE INDEX bans_to_end ON bans (until) WHERE until IS NOT NULL;

-- What each calendar file that was handed out says: a later file raises the sequence of what moved, and calls off
-- what is gone. A player has one file for all leagues of a server; without a player it's the organisers' file of the
-- season.
CREATE TABLE calendar_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER REFERENCES players (id),
    uid TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    cancelled INTEGER NOT NULL CHECK (cancelled IN (0, 1))
) STRICT;
CREATE INDEX calendar_entries_of_player ON calendar_entries (player_id);
CREATE INDEX calendar_entries_of_season ON calendar_entries (season_id, player_id);
CREATE UNIQUE INDEX one_calendar_entry_a_file ON calendar_entries (uid, coalesce(player_id, 0));

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
CREATE INDEX claims_of_page ON claims (season_id, page);
CREATE INDEX claims_of_player ON claims (player_id);
CREATE UNIQUE INDEX one_open_claim ON claims (season_id, discord_id) WHERE answered_at IS NULL;

-- The order an organiser decided among equals: one for each round, newer ones first.
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    after_round INTEGER NOT NULL CHECK (after_round >= 1),
    names TEXT NOT NULL CHECK (json_valid(names)),
    UNIQUE (season_id, after_round, names)
) STRICT;

-- Who left a season or was disqualified in which round, and from which round on they're back. Moderators can undo
-- what one of them decided (`by_moderator`).
CREATE TABLE departures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    kind TEXT NOT NULL CHECK (kind IN ('drop', 'disqualification')),
    round INTEGER NOT NULL CHECK (round >= 1),
    after_pairing INTEGER NOT NULL DEFAULT 0 CHECK (after_pairing IN (0, 1)),
    rejoined INTEGER CHECK (rejoined > round),
    by_moderator INTEGER NOT NULL DEFAULT 0 CHECK (by_moderator IN (0, 1))
) STRICT;
CREATE INDEX departures_of_entrant ON departures (entrant_id);
CREATE UNIQUE INDEX one_departure_at_a_time ON departures (entrant_id) WHERE rejoined IS NULL;

-- Why a player disputes a report, and what they say happened instead (`says`).
CREATE TABLE disputes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    entrant_id INTEGER REFERENCES entrants (id),
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    settled_at INTEGER,
    says TEXT CHECK (says IN ('won', 'draw', 'score', 'not-played'))
) STRICT;
CREATE INDEX disputes_of_entrant ON disputes (entrant_id);
CREATE INDEX disputes_of_match ON disputes (match_id);
CREATE UNIQUE INDEX one_open_dispute ON disputes (match_id) WHERE settled_at IS NULL;

-- Players of a season, with the name they have in it. `drawn` is whether the salt was made of their name: it's made
-- once, so who is added afterwards isn't among those. Only who was asked to check in (`asked_at`) can lose the
-- place. `given_group` is the group of a round robin that an organiser gave them.
CREATE TABLE entrants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    name TEXT NOT NULL,
    former_names TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(former_names)),
    mu REAL,
    sigma REAL,
    entered INTEGER NOT NULL DEFAULT 1 CHECK (entered >= 1),
    seed INTEGER CHECK (seed >= 1),
    checked_in INTEGER NOT NULL DEFAULT 0 CHECK (checked_in IN (0, 1)),
    drawn INTEGER NOT NULL DEFAULT 0 CHECK (drawn IN (0, 1)),
    asked_at INTEGER,
    given_group INTEGER CHECK (given_group >= 1),
    UNIQUE (season_id, player_id),
    UNIQUE (season_id, name),
    UNIQUE (season_id, seed),
    CHECK ((mu IS NULL) = (sigma IS NULL))
) STRICT;
CREATE INDEX entrants_of_player ON entrants (player_id);
CREATE TRIGGER entrants_have_one_seat BEFORE INSERT ON entrants
WHEN EXISTS (
    SELECT 1 FROM substitutes x JOIN entrants other ON other.id = x.entrant_id
    WHERE x.player_id = NEW.player_id AND other.season_id = NEW.season_id
)
BEGIN
    SELECT RAISE(ABORT, 'a person has two seats in a season');
END;

-- A player who enters the finals because another left before them is asked whether they play, and the finals wait
-- for it until they are posted (posted_at).
CREATE TABLE finals_places (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL UNIQUE REFERENCES entrants (id),
    asked_at INTEGER NOT NULL,
    latest INTEGER,
    until INTEGER,
    answered_at INTEGER,
    how TEXT CHECK (how IN ('plays', 'declined', 'silent', 'gone')),
    posted_at INTEGER,
    CHECK ((answered_at IS NULL) = (how IS NULL))
) STRICT;
CREATE INDEX finals_places_to_lapse ON finals_places (until) WHERE answered_at IS NULL;

-- Fingerprints that were shown: in the news of which round, and which news says that one no longer counts.
CREATE TABLE fingerprints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    round INTEGER NOT NULL,
    value TEXT NOT NULL,
    told_in INTEGER NOT NULL,
    void_in INTEGER
) STRICT;
CREATE INDEX fingerprints_of_season ON fingerprints (season_id);

-- Players of rounds that are all open who haven't begun are asked once; then moderators know of them.
CREATE TABLE first_matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL UNIQUE REFERENCES entrants (id),
    asked_at INTEGER NOT NULL,
    until INTEGER,
    silent_at INTEGER,
    settled_at INTEGER
) STRICT;
CREATE INDEX first_matches_asked ON first_matches (until) WHERE silent_at IS NULL AND settled_at IS NULL;
CREATE INDEX first_matches_silent ON first_matches (id) WHERE silent_at IS NOT NULL AND settled_at IS NULL;

-- Servers the bot has said hello in; a row goes when the bot is removed from its server.
CREATE TABLE guilds (
    guild_id INTEGER PRIMARY KEY,
    said_hello_at INTEGER NOT NULL
) STRICT;

-- Who has, or is to have, a role through the bot: promised while `given` differs from `wanted`; NULL is not known.
CREATE TABLE held_roles (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    league_id INTEGER REFERENCES leagues (id),
    discord_id INTEGER NOT NULL,
    role_id INTEGER NOT NULL,
    wanted INTEGER NOT NULL DEFAULT 1 CHECK (wanted IN (0, 1)),
    given INTEGER CHECK (given IN (0, 1)),
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    UNIQUE (discord_id, role_id, league_id),
    CHECK (league_id IS NOT NULL OR wanted = 0)
) STRICT;
CREATE INDEX held_roles_due ON held_roles (due_at) WHERE given IS NOT wanted;
CREATE INDEX held_roles_of_guild ON held_roles (guild_id);
CREATE INDEX held_roles_of_league ON held_roles (league_id);

-- Discord accounts that imported files name: by its id, which the player was given, or as someone wrote it, a
-- proposal.
CREATE TABLE imported_accounts (
    player_id INTEGER PRIMARY KEY REFERENCES players (id),
    import_id INTEGER NOT NULL REFERENCES imports (id),
    discord_id INTEGER,
    called TEXT,
    CHECK ((discord_id IS NULL) <> (called IS NULL))
) STRICT;
CREATE INDEX accounts_of_import ON imported_accounts (import_id);

-- Players who are there because of an import: they go with it.
CREATE TABLE imported_players (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL UNIQUE REFERENCES players (id),
    import_id INTEGER NOT NULL REFERENCES imports (id)
) STRICT;
CREATE INDEX players_of_import ON imported_players (import_id);

-- Seasons that came in with an import, and the days on which they were played, as their file says. `by_date` is
-- whether their number goes by that; `digest` is what their matches are in short, so that the same file is noticed
-- when it comes a second time; `ratings` is what those noted at their start count as (storage/rated_seasons.py).
CREATE TABLE imported_seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL UNIQUE REFERENCES seasons (id),
    import_id INTEGER NOT NULL REFERENCES imports (id),
    first_day TEXT,
    last_day TEXT,
    by_date INTEGER NOT NULL DEFAULT 0 CHECK (by_date IN (0, 1)),
    digest TEXT,
    ratings TEXT NOT NULL DEFAULT 'given' CHECK (ratings IN ('given', 'noted', 'outdated'))
) STRICT;
CREATE INDEX seasons_of_import ON imported_seasons (import_id);

-- One import of past seasons: what is there because of it, so that it can be taken back, and the newest name and
-- merge when it was done, so that what has come since is known.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    at INTEGER NOT NULL,
    newest_name INTEGER NOT NULL DEFAULT 0,
    newest_merge INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX imports_of_league ON imports (league_id);

-- Players who asked to join a season in which organisers let each one in, on pages; one who stopped waiting has no
-- `accepted`.
CREATE TABLE join_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    accepted INTEGER CHECK (accepted IN (0, 1)),
    page INTEGER NOT NULL DEFAULT 0,
    CHECK (answered_at IS NOT NULL OR accepted IS NULL)
) STRICT;
CREATE INDEX join_requests_of_player ON join_requests (player_id);
CREATE INDEX join_requests_of_season ON join_requests (season_id);
CREATE UNIQUE INDEX one_join_request_at_a_time ON join_requests (season_id, player_id) WHERE answered_at IS NULL;
CREATE INDEX requests_of_page ON join_requests (season_id, page);

-- The leagues of servers. `roles_seen` is the newest line of the audit log after which it was looked at who should
-- have a league's roles; without it the league never had one. `site` is whether its pages are written and its
-- results are public with them.
CREATE TABLE leagues (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
    name_key TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    moderation_channel_id INTEGER,
    moderator_role_id INTEGER,
    organiser_role_id INTEGER,
    time_zone TEXT NOT NULL DEFAULT 'UTC',
    created_by INTEGER,
    rules_text TEXT CHECK (rules_text <> ''),
    board INTEGER NOT NULL DEFAULT 1 CHECK (board IN (0, 1)),
    participant_role_id INTEGER,
    champion_role_id INTEGER,
    roles_seen INTEGER,
    site INTEGER NOT NULL DEFAULT 0 CHECK (site IN (0, 1)),
    UNIQUE (guild_id, name_key)
) STRICT;
CREATE INDEX leagues_with_pages ON leagues (id) WHERE site = 1;
CREATE INDEX leagues_with_roles ON leagues (id) WHERE roles_seen IS NOT NULL;

-- A new Discord account for a player; it counts once that account has accepted.
CREATE TABLE links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL REFERENCES players (id),
    discord_id INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    ended_at INTEGER,
    accepted INTEGER CHECK (accepted IN (0, 1)),
    CHECK (accepted IS NULL OR ended_at IS NOT NULL)
) STRICT;
CREATE INDEX links_of_player ON links (player_id);
CREATE UNIQUE INDEX one_link_at_a_time ON links (player_id) WHERE ended_at IS NULL;

-- The lists that are due together: a season's (round is null) or those of one round. `due_at` is known once the
-- round they're due with is posted. Once sealed, a list changes no more; once revealed, everyone can read the sealed
-- ones.
CREATE TABLE list_sets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    round INTEGER CHECK (round >= 1),
    due_at INTEGER,
    reminded_at INTEGER,
    sealed_at INTEGER,
    revealed_at INTEGER,
    CHECK (revealed_at IS NULL OR sealed_at IS NOT NULL)
) STRICT;
CREATE INDEX list_sets_to_seal ON list_sets (due_at) WHERE sealed_at IS NULL;
CREATE UNIQUE INDEX one_list_set ON list_sets (season_id, coalesce(round, 0));

-- The army or deck lists that players hand in: each is sealed by the SHA-256 of KEY/TEXT when it's due. A late one
-- waits for a moderator before that. `key` and `text` are null where an imported file kept them secret. `player_id`
-- is who wrote it: another person may sit in the seat since.
CREATE TABLE lists (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    set_id INTEGER NOT NULL REFERENCES list_sets (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    key TEXT,
    text TEXT CHECK (length(text) >= 1),
    handed_in_at INTEGER NOT NULL,
    late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1)),
    sha256 TEXT CHECK (length(sha256) = 64),
    sealed_at INTEGER,
    player_id INTEGER REFERENCES players (id),
    UNIQUE (set_id, entrant_id, number),
    CHECK ((key IS NULL) = (text IS NULL)),
    CHECK ((sha256 IS NULL) = (sealed_at IS NULL)),
    CHECK (text IS NOT NULL OR sha256 IS NOT NULL)
) STRICT;
CREATE INDEX lists_of_entrant ON lists (entrant_id);
CREATE INDEX lists_of_player ON lists (player_id);

-- Maps or scenarios of rounds, in the order they were given; `place` is a round's number or the name of one of the
-- finals in small letters. Nothing is computed from them.
CREATE TABLE maps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    place TEXT NOT NULL CHECK (length(place) >= 1),
    name TEXT NOT NULL CHECK (length(name) >= 1),
    note TEXT NOT NULL DEFAULT '',
    link TEXT NOT NULL DEFAULT '' CHECK (link = '' OR link LIKE 'https://%')
) STRICT;
CREATE INDEX maps_of_season ON maps (season_id);

-- A report waits for the opponent until `confirm_at`, which is set once the question to them was sent; unanswered it
-- is asked again once, at `ask_again_at`. `got_time` is whether a match that was open again got time once by what
-- its players did; what moderators decide gives it each time. `in_short` is why two players were paired, or someone
-- has a bye, in the sentences a person wants, in pieces. A score, such as 87-62, stands besides the games where a
-- season has scores: of a match that was played the winner's isn't the lower one, and after a draw both are the
-- same. `played_on` is the day an imported file says.
CREATE TABLE matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    round_id INTEGER NOT NULL REFERENCES rounds (id),
    position INTEGER NOT NULL CHECK (position >= 1),
    name TEXT NOT NULL DEFAULT '',
    upper_id INTEGER NOT NULL REFERENCES entrants (id),
    lower_id INTEGER NOT NULL REFERENCES entrants (id) CHECK (lower_id <> upper_id),
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'reported', 'disputed', 'confirmed')),
    version INTEGER NOT NULL DEFAULT 1,
    kind TEXT NOT NULL DEFAULT 'open'
        CHECK (kind IN ('open', 'played', 'forfeit', 'double_loss', 'adjudicated')),
    winner_id INTEGER CHECK (winner_id IN (upper_id, lower_id)),
    upper_games INTEGER CHECK (upper_games >= 0),
    lower_games INTEGER CHECK (lower_games >= 0),
    upper_points INTEGER,
    lower_points INTEGER,
    confirm_at INTEGER,
    ask_again_at INTEGER,
    confirmed_by TEXT CHECK (confirmed_by IN ('loss', 'agreement', 'opponent', 'silence', 'moderator', 'departure')),
    deadline INTEGER,
    reminded_at INTEGER,
    overdue_at INTEGER,
    agreed_at INTEGER,
    rematch INTEGER NOT NULL DEFAULT 0 CHECK (rematch IN (0, 1)),
    tier TEXT NOT NULL DEFAULT '',
    why TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(why)),
    draws TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(draws)),
    dice_off_id INTEGER CHECK (dice_off_id IN (upper_id, lower_id)),
    dice_off_why TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(dice_off_why)),
    dice_off_draws TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(dice_off_draws)),
    got_time INTEGER NOT NULL DEFAULT 0 CHECK (got_time IN (0, 1)),
    in_short TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(in_short)),
    upper_score INTEGER CHECK (upper_score BETWEEN 0 AND 9999),
    lower_score INTEGER CHECK (lower_score BETWEEN 0 AND 9999)
        CHECK ((upper_score IS NULL) = (lower_score IS NULL))
        CHECK (upper_score IS NULL OR kind <> 'open')
        CHECK (
            kind <> 'played'
            OR CASE winner_id
                WHEN upper_id THEN upper_score >= lower_score
                WHEN lower_id THEN upper_score <= lower_score
                ELSE upper_score = lower_score
            END
        ),
    played_on TEXT CHECK (played_on IS date(played_on)),
    UNIQUE (round_id, position),
    CHECK ((state = 'confirmed') = (kind <> 'open')),
    CHECK (confirm_at IS NULL OR state = 'reported'),
    CHECK (ask_again_at IS NULL OR ask_again_at < confirm_at),
    CHECK (winner_id IS NULL OR kind IN ('played', 'forfeit', 'adjudicated')),
    CHECK (kind <> 'forfeit' OR winner_id IS NOT NULL),
    CHECK ((upper_games IS NULL) = (lower_games IS NULL)),
    CHECK ((upper_points IS NULL) = (lower_points IS NULL))
) STRICT;
CREATE INDEX deadlines_of_matches ON matches (deadline) WHERE deadline IS NOT NULL AND state <> 'confirmed';
CREATE INDEX matches_of_lower ON matches (lower_id);
CREATE INDEX matches_of_upper ON matches (upper_id);
CREATE INDEX overdue_matches ON matches (round_id, overdue_at) WHERE overdue_at IS NOT NULL AND state = 'open';
CREATE INDEX questions_to_repeat ON matches (ask_again_at) WHERE ask_again_at IS NOT NULL;
CREATE INDEX reports_to_confirm ON matches (confirm_at) WHERE state = 'reported';

-- When a player was last looked for on the server, and since when they have not been there.
CREATE TABLE memberships (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL UNIQUE REFERENCES players (id),
    checked_at INTEGER NOT NULL,
    gone_since INTEGER CHECK (gone_since <= checked_at)
) STRICT;

-- Two league names that were one person: who stayed, and all that moved or went, so that it can be taken back.
CREATE TABLE merges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    into_id INTEGER NOT NULL REFERENCES players (id),
    at INTEGER NOT NULL,
    -- The first season either of them played: ratings noted at the start of later ones don't count any more.
    season INTEGER,
    moved TEXT NOT NULL CHECK (json_valid(moved)),
    as_left TEXT NOT NULL CHECK (json_valid(as_left))
) STRICT;
CREATE INDEX merges_in_league ON merges (league_id);
CREATE INDEX merges_into ON merges (into_id);

-- Who had met whom in earlier seasons when a season started.
CREATE TABLE met_before (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    past INTEGER NOT NULL CHECK (past >= 0),
    round INTEGER CHECK (round >= 1),
    first_id INTEGER NOT NULL REFERENCES players (id),
    second_id INTEGER NOT NULL REFERENCES players (id)
) STRICT;
CREATE INDEX met_before_first ON met_before (first_id);
CREATE INDEX met_before_season ON met_before (season_id);
CREATE INDEX met_before_second ON met_before (second_id);

-- The numbers imported seasons had before they made room for a later import.
CREATE TABLE moved_seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER NOT NULL REFERENCES imports (id),
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    number INTEGER NOT NULL CHECK (number >= 0)
) STRICT;
CREATE INDEX moved_by_import ON moved_seasons (import_id);
CREATE INDEX moves_of_season ON moved_seasons (season_id);

-- How a player wants to be told, where it isn't by a mention; a question that can cost a result is never off.
CREATE TABLE notify (
    player_id INTEGER NOT NULL REFERENCES players (id),
    topic TEXT NOT NULL CHECK (topic IN ('question', 'round', 'time', 'deadline', 'news')),
    how TEXT NOT NULL CHECK (how IN ('mention', 'direct', 'off')),
    PRIMARY KEY (player_id, topic),
    CHECK (topic <> 'question' OR how <> 'off')
) STRICT;

-- Promised posts: sent while message_id is null, edited while shown is behind wanted; never sent once expired, and
-- deleted once removed. One for a person goes to their direct messages; their channel mentions them if those are
-- closed. `gone` is how many of its messages are gone: the next one has another nonce. `failing_since` is since when
-- it couldn't be made or edited.
CREATE TABLE outbox (
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
CREATE UNIQUE INDEX one_post_a_key ON outbox (key) WHERE superseded = 0;
CREATE INDEX outbox_corrections ON outbox (match_id) WHERE kind = 'correction' AND removed = 0;
CREATE INDEX outbox_decided_together ON outbox (season_id) WHERE kind = 'decided-together';
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_failed ON outbox (league_id) WHERE state = 'failed';
CREATE INDEX outbox_missing ON outbox (league_id) WHERE state IN ('due', 'failed') AND problem IS NOT NULL;
CREATE INDEX outbox_of_key ON outbox (key);
CREATE INDEX outbox_of_league ON outbox (league_id);
CREATE INDEX outbox_of_match ON outbox (match_id);
CREATE INDEX outbox_of_message ON outbox (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX outbox_of_round ON outbox (round_id);
CREATE INDEX outbox_of_season ON outbox (season_id);
CREATE INDEX outbox_threads_over ON outbox (channel_id) WHERE kind = 'thread-over';
CREATE INDEX outbox_to_lapse ON outbox (expires_at) WHERE state IN ('due', 'failed');
CREATE INDEX outbox_to_try ON outbox (due_at) WHERE state = 'failed';
CREATE INDEX outbox_troubles ON outbox (league_id) WHERE kind = 'trouble' AND removed = 0;
CREATE INDEX outbox_waiting ON outbox (league_id) WHERE kind = 'waiting' AND removed = 0;

-- Players who met in seasons known only from the past_seasons of an imported file; `hidden_by` is the import that
-- brought such a season itself since.
CREATE TABLE past_meetings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    season INTEGER NOT NULL CHECK (season >= 0),
    round INTEGER CHECK (round >= 1),
    first_id INTEGER NOT NULL REFERENCES players (id),
    second_id INTEGER NOT NULL REFERENCES players (id) CHECK (second_id <> first_id),
    hidden_by INTEGER REFERENCES imports (id),
    import_id INTEGER REFERENCES imports (id)
) STRICT;
CREATE INDEX past_meetings_hidden ON past_meetings (hidden_by);
CREATE INDEX past_meetings_of_first ON past_meetings (first_id);
CREATE INDEX past_meetings_of_import ON past_meetings (import_id);
CREATE INDEX past_meetings_of_season ON past_meetings (league_id, season);
CREATE INDEX past_meetings_of_second ON past_meetings (second_id);

-- Every name a player has or had, in order; a name belongs to one player of the league for good. `name_key` is what
-- it looks like: a new player's must be new too, while an imported file may hold names that differ only a little.
-- `skeleton` is its shape, by which a name that looks like it is found.
CREATE TABLE player_names (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    name TEXT NOT NULL CHECK (length(name) >= 1),
    name_key TEXT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players (id),
    skeleton TEXT NOT NULL DEFAULT '',
    import_id INTEGER REFERENCES imports (id),
    UNIQUE (league_id, name)
) STRICT;
CREATE INDEX look_alikes ON player_names (league_id, name_key);
CREATE INDEX names_of_import ON player_names (import_id);
CREATE INDEX names_of_player ON player_names (player_id);
CREATE INDEX skeletons ON player_names (league_id, skeleton);

-- People of a league, with an account or, from an import, without one. A name given while a season is played
-- (`next_name`) waits for its end, because its draws use the one before.
CREATE TABLE players (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    discord_id INTEGER,
    name TEXT NOT NULL CHECK (length(name) >= 1),
    refused_at INTEGER,
    next_name TEXT CHECK (length(next_name) >= 1),
    UNIQUE (league_id, discord_id)
) STRICT;
CREATE INDEX players_of_account ON players (discord_id);
CREATE INDEX players_to_rename ON players (league_id) WHERE next_name IS NOT NULL;

-- What a player says keeps their match from being played. Their opponent answers, or is late once `answer_until` is
-- over; from `handed_at` on it waits for the moderators.
CREATE TABLE problems (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    kind TEXT NOT NULL CHECK (kind IN ('no-answer', 'absent', 'too-late')),
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    answer TEXT,
    answered_at INTEGER,
    handed_at INTEGER,
    ended_at INTEGER,
    how TEXT CHECK (how IN ('result', 'withdrawn', 'more-time', 'no-change')),
    answer_until INTEGER,
    CHECK ((answer IS NULL) = (answered_at IS NULL)),
    CHECK ((ended_at IS NULL) = (how IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_open_problem ON problems (match_id) WHERE ended_at IS NULL;
CREATE INDEX problems_of_entrant ON problems (entrant_id);
CREATE INDEX problems_of_match ON problems (match_id);
CREATE INDEX problems_to_hand_on ON problems (answer_until) WHERE handed_at IS NULL AND ended_at IS NULL;

-- A player who dropped and asks to come back; the organiser answers.
CREATE TABLE rejoin_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    accepted INTEGER CHECK (accepted IN (0, 1)),
    CHECK ((answered_at IS NULL) = (accepted IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_request_at_a_time ON rejoin_requests (entrant_id) WHERE answered_at IS NULL;
CREATE INDEX requests_of_entrant ON rejoin_requests (entrant_id);

-- What each player reported, seen from their side; a newer report replaces an older one of the same player.
CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    result TEXT NOT NULL CHECK (result IN ('won', 'lost', 'draw')),
    own_games INTEGER CHECK (own_games >= 0),
    their_games INTEGER CHECK (their_games >= 0),
    at INTEGER NOT NULL,
    replaced_at INTEGER,
    statement TEXT,
    own_score INTEGER CHECK (own_score BETWEEN 0 AND 9999),
    their_score INTEGER CHECK (their_score BETWEEN 0 AND 9999) CHECK ((own_score IS NULL) = (their_score IS NULL)),
    CHECK ((own_games IS NULL) = (their_games IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_standing_report ON reports (match_id, entrant_id) WHERE replaced_at IS NULL;
CREATE INDEX reports_of_entrant ON reports (entrant_id);
CREATE INDEX reports_of_match ON reports (match_id);

-- `paused` is how many seconds pauses moved the deadline: half of a round is that much later too. Rounds of a round
-- robin that are played `together` are open at the same time.
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    stage TEXT NOT NULL CHECK (stage IN ('regular', 'tiebreak', 'finals')),
    number INTEGER NOT NULL CHECK (number >= 1),
    name TEXT NOT NULL DEFAULT '',
    phase TEXT NOT NULL CHECK (phase IN ('draft', 'open', 'closed')),
    by_hand TEXT,
    posted_at INTEGER,
    deadline INTEGER,
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused >= 0),
    clock_started_at INTEGER,
    together INTEGER NOT NULL DEFAULT 0 CHECK (together IN (0, 1)),
    UNIQUE (season_id, number),
    CHECK (phase = 'draft' OR posted_at IS NOT NULL),
    CHECK (clock_started_at IS NULL OR deadline > clock_started_at)
) STRICT;
CREATE INDEX deadlines_of_rounds ON rounds (deadline) WHERE phase = 'open';
CREATE INDEX halves_of_rounds ON rounds ((posted_at + paused + deadline) / 2) WHERE phase = 'open';
CREATE UNIQUE INDEX one_round_at_a_time ON rounds (season_id) WHERE phase IN ('draft', 'open') AND together = 0;
CREATE INDEX open_rounds ON rounds (id) WHERE phase = 'open';
CREATE INDEX rounds_going_on ON rounds (season_id, number) WHERE phase IN ('draft', 'open');

-- A coming round an entrant doesn't play in; it counts as a loss once the round is paired. `player_id` is who gave
-- the reason: another person may sit in the seat since.
CREATE TABLE sat_out (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    round INTEGER NOT NULL CHECK (round >= 1),
    reason TEXT,
    at INTEGER NOT NULL,
    player_id INTEGER REFERENCES players (id),
    UNIQUE (entrant_id, round)
) STRICT;
CREATE INDEX sat_out_of_player ON sat_out (player_id);

-- The secrets of sealed salts: drawn when the sign-ups open, committed to by a hash, shown when round 1 is first
-- paired.
CREATE TABLE sealed_salts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    commitment TEXT NOT NULL,
    secret TEXT
) STRICT;
CREATE UNIQUE INDEX sealed_salts_of_season ON sealed_salts (season_id);

-- While a season is paused (until `paused_until`) no round is posted. `last_day` and `check_in` are the closing time
-- of the sign-ups for which their last day was told and their players were asked to check in. `newest_import` is the
-- newest import of the league when the season started: it goes by what was known then. `wanted_number` is what an
-- organiser gives to a league's first season, so that its past fits below. `salt_kind` is null where the draw has no
-- salt. Once a person of it is forgotten nothing made of names can be compared (`forgotten`), and what was made of
-- them is kept: `bracket`, its entrants by first slot, null for an empty one; `groups`; `ladder`, the order in which
-- divisions are filled, and `ladder_of`, the fingerprint of the season that comes from. `finals_wait` is whether the
-- finals would follow by themselves but for an answer.
CREATE TABLE seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    number INTEGER CHECK (number >= 0),
    format TEXT NOT NULL,
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    salt TEXT,
    phase TEXT NOT NULL CHECK (phase IN ('unpublished', 'signup', 'running', 'finals', 'finished', 'cancelled')),
    copied_from INTEGER,
    signups_close INTEGER,
    last_day INTEGER,
    check_in INTEGER,
    paused_until INTEGER,
    started_at INTEGER,
    ended_at INTEGER,
    champion_id INTEGER REFERENCES entrants (id),
    newest_import INTEGER NOT NULL DEFAULT 0,
    wanted_number INTEGER CHECK (wanted_number >= 1),
    forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1)),
    bracket TEXT CHECK (json_array_length(bracket) >= 1),
    finals_wait INTEGER NOT NULL DEFAULT 0,
    groups TEXT CHECK (json_array_length(groups) >= 1),
    ladder TEXT CHECK (json_array_length(ladder) >= 0),
    ladder_of TEXT CHECK (length(ladder_of) = 64),
    salt_kind TEXT CHECK (salt_kind IN ('names', 'sealed')),
    UNIQUE (league_id, number),
    CHECK (number IS NOT NULL OR phase IN ('unpublished', 'cancelled'))
) STRICT;
CREATE UNIQUE INDEX one_live_season ON seasons (league_id) WHERE phase IN ('signup', 'running', 'finals');
CREATE UNIQUE INDEX one_unpublished_season ON seasons (league_id) WHERE phase = 'unpublished';
CREATE INDEX pauses_to_end ON seasons (paused_until) WHERE paused_until IS NOT NULL;
CREATE INDEX seasons_of_champion ON seasons (champion_id);
CREATE INDEX signups_to_close ON seasons (signups_close) WHERE phase = 'signup';

-- One seat for each entrant and round: in a match, or a bye. This keeps everyone from being paired twice.
CREATE TABLE seats (
    round_id INTEGER NOT NULL REFERENCES rounds (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    match_id INTEGER REFERENCES matches (id),
    why TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(why)),
    draws TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(draws)),
    in_short TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(in_short)),
    PRIMARY KEY (round_id, entrant_id)
) STRICT;
CREATE INDEX seats_of_entrant ON seats (entrant_id);
CREATE INDEX seats_of_match ON seats (match_id);
CREATE TRIGGER seats_stay_in_their_season BEFORE INSERT ON seats
WHEN (SELECT season_id FROM entrants WHERE id = NEW.entrant_id) <> (SELECT season_id FROM rounds WHERE id = NEW.round_id)
    OR (SELECT round_id FROM matches WHERE id = NEW.match_id) <> NEW.round_id
BEGIN
    SELECT RAISE(ABORT, 'a seat is in another season or round than its entrant or match');
END;

-- What players answered to a league's questions on signing up.
CREATE TABLE signup_answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL REFERENCES players (id),
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    UNIQUE (player_id, question)
) STRICT;

-- Whether a player who was absent, or had left the server, stays in the season: asked, then answered by them or by
-- their being back.
CREATE TABLE stay_decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    reason TEXT NOT NULL CHECK (reason IN ('absent', 'gone')),
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    how TEXT CHECK (how IN ('stays', 'back')),
    CHECK ((answered_at IS NULL) = (how IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_stay_at_a_time ON stay_decisions (entrant_id, reason) WHERE answered_at IS NULL;
CREATE INDEX stays_of_entrant ON stay_decisions (entrant_id);

-- Who sits in an entrant's seat from a round on, under the name they had then: another person, or its own one again.
-- `mu` and `sigma` are theirs when they first sit down.
CREATE TABLE substitutes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    name TEXT NOT NULL,
    round INTEGER NOT NULL CHECK (round >= 1),
    mu REAL,
    sigma REAL,
    former_names TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(former_names)),
    UNIQUE (entrant_id, round),
    CHECK ((mu IS NULL) = (sigma IS NULL))
) STRICT;
CREATE INDEX substitutes_of_player ON substitutes (player_id);
CREATE TRIGGER substitutes_have_one_seat BEFORE INSERT ON substitutes
WHEN EXISTS (
    SELECT 1 FROM entrants other JOIN entrants seat ON seat.season_id = other.season_id
    WHERE seat.id = NEW.entrant_id AND other.player_id = NEW.player_id AND other.id <> seat.id
) OR EXISTS (
    SELECT 1 FROM substitutes x JOIN entrants other ON other.id = x.entrant_id
    JOIN entrants seat ON seat.season_id = other.season_id
    WHERE seat.id = NEW.entrant_id AND x.player_id = NEW.player_id AND other.id <> seat.id
)
BEGIN
    SELECT RAISE(ABORT, 'a person has two seats in a season');
END;

-- The press by which a player made a result count, with what the match was before it: it can be taken back for a
-- while.
CREATE TABLE takebacks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL UNIQUE REFERENCES matches (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    reports TEXT NOT NULL CHECK (json_valid(reports)),
    dispute_id INTEGER REFERENCES disputes (id)
) STRICT;
CREATE INDEX takebacks_of_dispute ON takebacks (dispute_id);
CREATE INDEX takebacks_of_entrant ON takebacks (entrant_id);

-- A thread can be about several matches: those of a group whose matches are all open at once. `threads.match_id` is
-- its first match, and the post that makes the thread is about that one.
CREATE TABLE thread_matches (
    match_id INTEGER PRIMARY KEY REFERENCES matches (id),
    thread INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX thread_matches_of ON thread_matches (thread);

-- The thread a match is talked about in; without `thread_id` it may be being made at this moment. Once it is `lost`,
-- posts about the match go to the league's channel again: people deleted it, or closed it to the bot.
CREATE TABLE threads (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL UNIQUE REFERENCES matches (id),
    thread_id INTEGER UNIQUE,
    people TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(people)),
    lost TEXT CHECK (lost IN ('deleted', 'closed')),
    archive_at INTEGER,
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
    CHECK (lost IS NULL OR thread_id IS NOT NULL),
    CHECK (archived = 0 OR archive_at IS NULL)
) STRICT;
CREATE INDEX threads_to_archive ON threads (archive_at) WHERE archive_at IS NOT NULL;

-- A tie-break match of two is reported by its players: who says that they won, until the other confirms or disputes
-- it.
CREATE TABLE tie_reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tie_id INTEGER NOT NULL UNIQUE REFERENCES ties (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    reported_at INTEGER NOT NULL,
    counts_at INTEGER,
    disputed_at INTEGER
) STRICT;
CREATE INDEX reports_of_ties_by_player ON tie_reports (entrant_id);
CREATE INDEX reports_of_ties_due ON tie_reports (counts_at) WHERE disputed_at IS NULL;

-- Equals the organiser is asked about, from place `first` on; once settled, `names` is the order that counts.
CREATE TABLE ties (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    after_round INTEGER NOT NULL CHECK (after_round >= 1),
    first INTEGER NOT NULL CHECK (first >= 1),
    going_on INTEGER NOT NULL CHECK (going_on >= 0),
    names TEXT NOT NULL CHECK (json_array_length(names) >= 2),
    asked_at INTEGER NOT NULL,
    match_at INTEGER,
    settled_at INTEGER,
    how TEXT CHECK (how IN ('draw', 'order', 'match', 'silence', 'gone')),
    until INTEGER,
    CHECK ((settled_at IS NULL) = (how IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_question_a_tie ON ties (season_id, after_round, names) WHERE settled_at IS NULL;
CREATE INDEX ties_of_season ON ties (season_id);
CREATE INDEX ties_to_answer ON ties (until) WHERE settled_at IS NULL AND match_at IS NULL;

-- Starts (seconds since 1970) a player proposes for their match, until they're answered: `accepted` is the one
-- agreed on; declined by the opponent's other times, replaced by the player's own; lapsed once there's nothing to
-- agree on.
CREATE TABLE time_proposals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    proposed_at INTEGER NOT NULL,
    starts TEXT NOT NULL CHECK (json_array_length(starts) BETWEEN 1 AND 3),
    answer TEXT CHECK (answer IN ('accepted', 'declined', 'replaced', 'lapsed')),
    answered_at INTEGER,
    accepted INTEGER,
    CHECK ((answer IS NULL) = (answered_at IS NULL)),
    CHECK ((accepted IS NOT NULL) = (answer IS NOT NULL AND answer = 'accepted'))
) STRICT;
CREATE UNIQUE INDEX one_time_proposal_each ON time_proposals (match_id, entrant_id) WHERE answered_at IS NULL;
CREATE INDEX time_proposals_of_entrant ON time_proposals (entrant_id);
CREATE INDEX time_proposals_of_match ON time_proposals (match_id);

-- Players who wait for a place in a full season, in order of id. Who was asked keeps a free place until `until`,
-- which is set once the question was sent.
CREATE TABLE waitlist (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    asked_at INTEGER,
    until INTEGER CHECK (until IS NULL OR asked_at IS NOT NULL),
    UNIQUE (season_id, player_id)
) STRICT;
CREATE INDEX places_to_lapse ON waitlist (until) WHERE until IS NOT NULL;
CREATE INDEX waiting_players ON waitlist (player_id);
