"""tests/unit/store/test_packs.py on PostgreSQL."""

import pytest
from tests.unit.store.test_packs import *  # noqa: F403

pytestmark = pytest.mark.cluster
