-- The score of a match, such as 87-62, besides its games, where its season has scores; of one that was played the
-- winner's isn't the lower one, and after a draw both are the same. Players report it from their own side.
ALTER TABLE matches ADD COLUMN upper_score INTEGER CHECK (upper_score BETWEEN 0 AND 9999);
ALTER TABLE matches ADD COLUMN lower_score INTEGER CHECK (lower_score BETWEEN 0 AND 9999)
CHECK ((upper_score IS NULL) = (lower_score IS NULL))
CHECK (upper_score IS NULL OR kind <> 'open')
CHECK (
    kind <> 'played'
    OR CASE winner_id
        WHEN upper_id THEN upper_score >= lower_score
        WHEN lower_id THEN upper_score <= lower_score
        ELSE upper_score = lower_score
    END
);

ALTER TABLE reports ADD COLUMN own_score INTEGER CHECK (own_score BETWEEN 0 AND 9999);
ALTER TABLE reports ADD COLUMN their_score INTEGER CHECK (their_score BETWEEN 0 AND 9999)
CHECK ((own_score IS NULL) = (their_score IS NULL));
