-- What the player who disputes a report says happened instead, and what one who reported tells the moderators then.
ALTER TABLE disputes ADD COLUMN says TEXT CHECK (says IN ('won', 'draw', 'score', 'not-played'));
ALTER TABLE reports ADD COLUMN statement TEXT;
