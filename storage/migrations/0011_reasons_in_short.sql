-- Why two players were paired, or someone has a bye, in the sentences a person wants: in pieces, see bot/league/in_short.py.
ALTER TABLE matches ADD COLUMN in_short TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(in_short));
ALTER TABLE seats ADD COLUMN in_short TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(in_short));
