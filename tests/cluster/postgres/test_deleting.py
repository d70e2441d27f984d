"""tests/unit/store/test_deleting.py on PostgreSQL."""

import pytest
from tests.unit.store.test_deleting import *  # noqa: F403

pytestmark = pytest.mark.cluster
