"""tests/unit/store/test_replies.py on PostgreSQL."""

import pytest
from tests.unit.store.test_replies import *  # noqa: F403

pytestmark = pytest.mark.cluster
