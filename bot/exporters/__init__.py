"""Write what a league says into files of other programs: spreadsheets and calendars; pure, and knows no league."""
