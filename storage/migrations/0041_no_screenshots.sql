-- Players show moderators a screenshot where they show everything else: in a message.
DROP TABLE screenshots;
