-- Leagues, their players, seasons and results. Times are UTC seconds since 1970; JSON columns hold plain values.
-- Ids are never used again (AUTOINCREMENT): buttons outlive the rows they were made for, and servers that move to another
-- database keep theirs.

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
    UNIQUE (guild_id, name_key)
) STRICT;

-- Servers the bot has said hello in; a row goes when the bot is removed from its server.
CREATE TABLE guilds (
    guild_id INTEGER PRIMARY KEY,
    said_hello_at INTEGER NOT NULL
) STRICT;

-- Servers that are being moved here from another database: no bot starts on this one until that is finished.
CREATE TABLE arrivals (
    guild_id INTEGER PRIMARY KEY,
    source TEXT NOT NULL
) STRICT;

-- A person's time zone and the weekly hours in which they can play, the same in all leagues; `hours` as they are shown.
CREATE TABLE availability (
    discord_id INTEGER PRIMARY KEY,
    time_zone TEXT NOT NULL CHECK (time_zone <> ''),
    hours TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE players (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    discord_id INTEGER,
    name TEXT NOT NULL CHECK (length(name) >= 1),
    refused_at INTEGER,
    UNIQUE (league_id, discord_id)
) STRICT;

CREATE INDEX players_of_account ON players (discord_id);

-- How a player wants to be told, where it isn't by a mention; a question that can cost a result is never off.
CREATE TABLE notify (
    player_id INTEGER NOT NULL REFERENCES players (id),
    topic TEXT NOT NULL CHECK (topic IN ('question', 'round', 'time', 'deadline', 'news')),
    how TEXT NOT NULL CHECK (how IN ('mention', 'direct', 'off')),
    PRIMARY KEY (player_id, topic),
    CHECK (topic <> 'question' OR how <> 'off')
) STRICT;

-- When a player was last looked for on the server, and since when they have not been there.
CREATE TABLE memberships (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL UNIQUE REFERENCES players (id),
    checked_at INTEGER NOT NULL,
    gone_since INTEGER CHECK (gone_since <= checked_at)
) STRICT;

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

-- Every name a player has or had, in order; a name belongs to one player of the league for good. `name_key` is what
-- it looks like: a new player's must be new too, while an imported file may hold names that differ only a little.
CREATE TABLE player_names (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    name TEXT NOT NULL CHECK (length(name) >= 1),
    name_key TEXT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players (id),
    UNIQUE (league_id, name)
) STRICT;

CREATE INDEX look_alikes ON player_names (league_id, name_key);
CREATE INDEX names_of_player ON player_names (player_id);

-- While a season is paused (until `paused_until`) no round is posted. `last_day` and `check_in` are the closing time of
-- the sign-ups for which their last day was told and their players were asked to check in.
CREATE TABLE seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    number INTEGER CHECK (number >= 0),
    format TEXT NOT NULL,
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    salted INTEGER NOT NULL DEFAULT 0 CHECK (salted IN (0, 1)),
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
    UNIQUE (league_id, number),
    CHECK (number IS NOT NULL OR phase IN ('unpublished', 'cancelled'))
) STRICT;

CREATE UNIQUE INDEX one_live_season ON seasons (league_id) WHERE phase IN ('signup', 'running', 'finals');
CREATE UNIQUE INDEX one_unpublished_season ON seasons (league_id) WHERE phase = 'unpublished';
CREATE INDEX signups_to_close ON seasons (signups_close) WHERE phase = 'signup';
CREATE INDEX pauses_to_end ON seasons (paused_until) WHERE paused_until IS NOT NULL;
CREATE INDEX seasons_of_champion ON seasons (champion_id);

-- Players who met in seasons known only from the past_seasons of an imported file.
CREATE TABLE past_meetings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    season INTEGER NOT NULL CHECK (season >= 0),
    round INTEGER CHECK (round >= 1),
    first_id INTEGER NOT NULL REFERENCES players (id),
    second_id INTEGER NOT NULL REFERENCES players (id) CHECK (second_id <> first_id)
) STRICT;

CREATE INDEX past_meetings_of_season ON past_meetings (league_id, season);
CREATE INDEX past_meetings_of_first ON past_meetings (first_id);
CREATE INDEX past_meetings_of_second ON past_meetings (second_id);

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
    UNIQUE (season_id, player_id),
    UNIQUE (season_id, name),
    UNIQUE (season_id, seed),
    CHECK ((mu IS NULL) = (sigma IS NULL))
) STRICT;

CREATE INDEX entrants_of_player ON entrants (player_id);

-- Players who wait for a place in a full season, in order of id. Who was asked keeps a free place until `until`, which is
-- set once the question was sent.
CREATE TABLE waitlist (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    asked_at INTEGER,
    until INTEGER CHECK (until > asked_at),
    UNIQUE (season_id, player_id)
) STRICT;

CREATE INDEX waiting_players ON waitlist (player_id);
CREATE INDEX places_to_lapse ON waitlist (until) WHERE until IS NOT NULL;

CREATE TABLE departures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    kind TEXT NOT NULL CHECK (kind IN ('drop', 'disqualification')),
    round INTEGER NOT NULL CHECK (round >= 1),
    after_pairing INTEGER NOT NULL DEFAULT 0 CHECK (after_pairing IN (0, 1)),
    rejoined INTEGER CHECK (rejoined > round)
) STRICT;

CREATE INDEX departures_of_entrant ON departures (entrant_id);
CREATE UNIQUE INDEX one_departure_at_a_time ON departures (entrant_id) WHERE rejoined IS NULL;

-- Organisers are asked whether a player stays: one who lost by forfeit again, or who isn't on the server any more.
CREATE TABLE stays (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    reason TEXT NOT NULL CHECK (reason IN ('absent', 'gone')),
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    how TEXT CHECK (how IN ('stays', 'back')),
    CHECK ((answered_at IS NULL) = (how IS NULL))
) STRICT;

CREATE INDEX stays_of_entrant ON stays (entrant_id);
CREATE UNIQUE INDEX one_stay_at_a_time ON stays (entrant_id, reason) WHERE answered_at IS NULL;

-- A player who dropped and asks to come back; the organiser answers.
CREATE TABLE rejoin_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    accepted INTEGER CHECK (accepted IN (0, 1)),
    CHECK ((answered_at IS NULL) = (accepted IS NULL))
) STRICT;

CREATE INDEX requests_of_entrant ON rejoin_requests (entrant_id);
CREATE UNIQUE INDEX one_request_at_a_time ON rejoin_requests (entrant_id) WHERE answered_at IS NULL;

-- A coming round an entrant doesn't play in; it counts as a loss once the round is paired.
CREATE TABLE sat_out (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    round INTEGER NOT NULL CHECK (round >= 1),
    reason TEXT,
    at INTEGER NOT NULL,
    UNIQUE (entrant_id, round)
) STRICT;

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

-- One person has one seat a season.
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

CREATE TRIGGER entrants_have_one_seat BEFORE INSERT ON entrants
WHEN EXISTS (
    SELECT 1 FROM substitutes x JOIN entrants other ON other.id = x.entrant_id
    WHERE x.player_id = NEW.player_id AND other.season_id = NEW.season_id
)
BEGIN
    SELECT RAISE(ABORT, 'a person has two seats in a season');
END;

-- `paused` is how many seconds pauses moved the deadline: half of a round is that much later too.
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
    UNIQUE (season_id, number),
    CHECK (phase = 'draft' OR posted_at IS NOT NULL),
    CHECK (clock_started_at IS NULL OR deadline > clock_started_at)
) STRICT;

CREATE UNIQUE INDEX one_round_at_a_time ON rounds (season_id) WHERE phase IN ('draft', 'open');
CREATE INDEX open_rounds ON rounds (id) WHERE phase = 'open';
CREATE INDEX deadlines_of_rounds ON rounds (deadline) WHERE phase = 'open';
CREATE INDEX halves_of_rounds ON rounds ((posted_at + paused + deadline) / 2) WHERE phase = 'open';

-- The lists that are due together: a season's (round is null) or those of one round. `due_at` is known once the round
-- they're due with is posted. Once sealed, a list changes no more; once revealed, everyone can read the sealed ones.
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

CREATE UNIQUE INDEX one_list_set ON list_sets (season_id, coalesce(round, 0));
CREATE INDEX list_sets_to_seal ON list_sets (due_at) WHERE sealed_at IS NULL;

-- The army or deck lists that players hand in: each is sealed by the SHA-256 of KEY/TEXT when it's due. A late one
-- waits for a moderator before that. `key` and `text` are null where an imported file kept them secret.
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
    UNIQUE (set_id, entrant_id, number),
    CHECK ((key IS NULL) = (text IS NULL)),
    CHECK ((sha256 IS NULL) = (sealed_at IS NULL)),
    CHECK (text IS NOT NULL OR sha256 IS NOT NULL)
) STRICT;

CREATE INDEX lists_of_entrant ON lists (entrant_id);
CREATE INDEX late_lists ON lists (set_id) WHERE late = 1 AND sealed_at IS NULL;

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

-- A report waits for the opponent until `confirm_at`, which is set once the question to them was sent; unanswered it is
-- asked again once, at `ask_again_at`.
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
    UNIQUE (round_id, position),
    CHECK ((state = 'confirmed') = (kind <> 'open')),
    CHECK (confirm_at IS NULL OR state = 'reported'),
    CHECK (ask_again_at IS NULL OR ask_again_at < confirm_at),
    CHECK (winner_id IS NULL OR kind IN ('played', 'forfeit', 'adjudicated')),
    CHECK (kind <> 'forfeit' OR winner_id IS NOT NULL),
    CHECK ((upper_games IS NULL) = (lower_games IS NULL)),
    CHECK ((upper_points IS NULL) = (lower_points IS NULL))
) STRICT;

CREATE INDEX reports_to_confirm ON matches (confirm_at) WHERE state = 'reported';
CREATE INDEX questions_to_repeat ON matches (ask_again_at) WHERE ask_again_at IS NOT NULL;
CREATE INDEX deadlines_of_matches ON matches (deadline) WHERE deadline IS NOT NULL AND state <> 'confirmed';
CREATE INDEX overdue_matches ON matches (round_id, overdue_at) WHERE overdue_at IS NOT NULL AND state = 'open';
CREATE INDEX matches_of_upper ON matches (upper_id);
CREATE INDEX matches_of_lower ON matches (lower_id);

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
    CHECK (lost IS NULL OR thread_id IS NOT NULL),
    CHECK (archived = 0 OR archive_at IS NULL)
) STRICT;

CREATE INDEX threads_to_archive ON threads (archive_at) WHERE archive_at IS NOT NULL;

-- One seat for each entrant and round: in a match, or a bye. This keeps everyone from being paired twice.
CREATE TABLE seats (
    round_id INTEGER NOT NULL REFERENCES rounds (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    match_id INTEGER REFERENCES matches (id),
    why TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(why)),
    draws TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(draws)),
    PRIMARY KEY (round_id, entrant_id)
) STRICT;

CREATE INDEX seats_of_match ON seats (match_id);
CREATE INDEX seats_of_entrant ON seats (entrant_id);

CREATE TRIGGER seats_stay_in_their_season BEFORE INSERT ON seats
WHEN (SELECT season_id FROM entrants WHERE id = NEW.entrant_id) <> (SELECT season_id FROM rounds WHERE id = NEW.round_id)
    OR (SELECT round_id FROM matches WHERE id = NEW.match_id) <> NEW.round_id
BEGIN
    SELECT RAISE(ABORT, 'a seat is in another season or round than its entrant or match');
END;

-- Starts (seconds since 1970) a player proposes for their match, until they're answered: `accepted` is the one agreed
-- on; declined by the opponent's other times, replaced by the player's own; lapsed once there's nothing to agree on.
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

CREATE INDEX time_proposals_of_match ON time_proposals (match_id);
CREATE INDEX time_proposals_of_entrant ON time_proposals (entrant_id);
CREATE UNIQUE INDEX one_time_proposal_each ON time_proposals (match_id, entrant_id) WHERE answered_at IS NULL;

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
    CHECK ((own_games IS NULL) = (their_games IS NULL))
) STRICT;

CREATE INDEX reports_of_match ON reports (match_id);
CREATE INDEX reports_of_entrant ON reports (entrant_id);
CREATE UNIQUE INDEX one_standing_report ON reports (match_id, entrant_id) WHERE replaced_at IS NULL;

CREATE TABLE disputes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    entrant_id INTEGER REFERENCES entrants (id),
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    settled_at INTEGER
) STRICT;

CREATE INDEX disputes_of_match ON disputes (match_id);
CREATE INDEX disputes_of_entrant ON disputes (entrant_id);
CREATE UNIQUE INDEX one_open_dispute ON disputes (match_id) WHERE settled_at IS NULL;

-- The press by which a player made a result count, with what the match was before it: it can be taken back for a while.
CREATE TABLE takebacks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL UNIQUE REFERENCES matches (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    reports TEXT NOT NULL CHECK (json_valid(reports)),
    dispute_id INTEGER REFERENCES disputes (id)
) STRICT;

CREATE INDEX takebacks_of_entrant ON takebacks (entrant_id);
CREATE INDEX takebacks_of_dispute ON takebacks (dispute_id);

-- What a player says keeps their match from being played. Their opponent answers, or is late once `answer_until` is over;
-- from `handed_at` on it waits for the moderators. A screenshot is kept until the claim ends.
CREATE TABLE claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    kind TEXT NOT NULL CHECK (kind IN ('no-answer', 'absent', 'too-late')),
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    answer_until INTEGER NOT NULL,
    answer TEXT,
    answered_at INTEGER,
    handed_at INTEGER,
    ended_at INTEGER,
    how TEXT CHECK (how IN ('result', 'withdrawn', 'more-time', 'no-change')),
    CHECK ((answer IS NULL) = (answered_at IS NULL)),
    CHECK ((ended_at IS NULL) = (how IS NULL))
) STRICT;

CREATE INDEX claims_of_match ON claims (match_id);
CREATE INDEX claims_of_entrant ON claims (entrant_id);
CREATE UNIQUE INDEX one_open_claim ON claims (match_id) WHERE ended_at IS NULL;
CREATE INDEX claims_to_hand_on ON claims (answer_until) WHERE handed_at IS NULL AND ended_at IS NULL;

CREATE TABLE screenshots (
    claim_id INTEGER NOT NULL REFERENCES claims (id),
    entrant_id INTEGER NOT NULL REFERENCES entrants (id),
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (claim_id, entrant_id)
) STRICT;

CREATE INDEX screenshots_of_entrant ON screenshots (entrant_id);

-- The order an organiser decided among equals: one for each round, newer ones first.
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    after_round INTEGER NOT NULL CHECK (after_round >= 1),
    names TEXT NOT NULL CHECK (json_valid(names)),
    UNIQUE (season_id, after_round)
) STRICT;

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
    CHECK ((settled_at IS NULL) = (how IS NULL))
) STRICT;

CREATE INDEX ties_of_season ON ties (season_id);
CREATE INDEX ties_to_answer ON ties (asked_at) WHERE settled_at IS NULL AND match_at IS NULL;
CREATE UNIQUE INDEX one_question_a_tie ON ties (season_id, after_round, names) WHERE settled_at IS NULL;

-- Promised posts: sent while message_id is null, edited while shown is behind wanted; never sent once expired, and
-- deleted once removed. One for a person goes to their direct messages; their channel mentions them if those are closed.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    season_id INTEGER REFERENCES seasons (id),
    round_id INTEGER REFERENCES rounds (id),
    match_id INTEGER REFERENCES matches (id),
    target TEXT NOT NULL CHECK (target IN ('league', 'moderation', 'person')),
    person_id INTEGER,
    facts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(facts)),
    state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'done', 'parked', 'withdrawn')),
    wanted INTEGER NOT NULL DEFAULT 1,
    shown INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    expires_at INTEGER CHECK (expires_at > created_at),
    attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    parked_at INTEGER,
    channel_id INTEGER,
    message_id INTEGER,
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    edited_at INTEGER,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    CHECK (target <> 'person' OR person_id IS NOT NULL),
    CHECK (state <> 'done' OR (message_id IS NOT NULL AND shown = wanted)),
    CHECK (state <> 'parked' OR (parked_at IS NOT NULL AND problem IS NOT NULL))
) STRICT;

CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_to_lapse ON outbox (expires_at) WHERE state IN ('due', 'parked');
CREATE INDEX outbox_parked ON outbox (league_id) WHERE state = 'parked';
CREATE INDEX outbox_to_try ON outbox (due_at) WHERE state = 'parked';
CREATE INDEX outbox_missing ON outbox (league_id) WHERE state IN ('due', 'parked') AND problem IS NOT NULL;
CREATE INDEX outbox_troubles ON outbox (league_id) WHERE kind = 'trouble' AND removed = 0;
CREATE INDEX outbox_waiting ON outbox (league_id) WHERE kind = 'waiting' AND removed = 0;
CREATE INDEX outbox_of_league ON outbox (league_id);
CREATE INDEX outbox_of_season ON outbox (season_id);
CREATE INDEX outbox_of_round ON outbox (round_id);
CREATE INDEX outbox_of_match ON outbox (match_id);

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

CREATE INDEX audit_of_league ON audit (league_id, id);
CREATE INDEX audit_of_season ON audit (season_id);
CREATE INDEX audit_actions ON audit (league_id, action);
