"""tests/unit/store/test_writing.py on PostgreSQL."""

import pytest
from tests.unit.store.test_writing import *  # noqa: F403

pytestmark = pytest.mark.cluster
