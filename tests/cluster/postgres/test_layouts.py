"""tests/unit/store/test_layouts.py on PostgreSQL."""

import pytest
from tests.unit.store.test_layouts import *  # noqa: F403

pytestmark = pytest.mark.cluster
