"""The subjects that bring their features themselves, beside their own tests."""

from tests.services.lists import lists_meet
from tests.services.problems import patience_meet
from tests.services.ties import ties_meet

SUBJECTS = (lists_meet.LISTS, patience_meet.PATIENCE, ties_meet.TIES)
