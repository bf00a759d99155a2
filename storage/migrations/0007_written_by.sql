-- Who wrote a list or the reason for sitting out: another person may sit in the seat since, or go on playing in it.
ALTER TABLE lists ADD COLUMN player_id INTEGER REFERENCES players (id);
ALTER TABLE sat_out ADD COLUMN player_id INTEGER REFERENCES players (id);

-- Until now that is who sits in the seat in the round it was for; for a season's lists, in the round they came in.
UPDATE lists SET player_id = (
    SELECT coalesce(
        (SELECT x.player_id FROM substitutes x WHERE x.entrant_id = e.id AND x.round <= coalesce(
            t.round, (SELECT max(number) FROM rounds WHERE season_id = e.season_id AND posted_at <= handed_in_at), 1
        ) ORDER BY x.round DESC LIMIT 1),
        e.player_id
    )
    FROM entrants e, list_sets t WHERE e.id = lists.entrant_id AND t.id = lists.set_id
);
UPDATE sat_out SET player_id = (
    SELECT coalesce(
        (SELECT x.player_id FROM substitutes x WHERE x.entrant_id = e.id AND x.round <= sat_out.round
            ORDER BY x.round DESC LIMIT 1),
        e.player_id
    )
    FROM entrants e WHERE e.id = sat_out.entrant_id
);

CREATE INDEX lists_of_player ON lists (player_id);
CREATE INDEX sat_out_of_player ON sat_out (player_id);
