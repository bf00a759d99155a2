"""The subjects that bring their features themselves, beside their own tests."""

from tests.services.lists import lists_meet
from tests.services.ties import ties_meet

SUBJECTS = (lists_meet.LISTS, ties_meet.TIES)
