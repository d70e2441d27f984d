"""tests/unit/store/test_reading.py on PostgreSQL."""

import pytest
from tests.unit.store.test_reading import *  # noqa: F403

pytestmark = pytest.mark.cluster
