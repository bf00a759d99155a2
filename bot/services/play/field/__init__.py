"""Who is in a season that is played: who can still join or come back, who leaves, and who moves up."""
