"""tests/unit/store/test_secrets.py on PostgreSQL."""

import pytest
from tests.unit.store.test_secrets import *  # noqa: F403

pytestmark = pytest.mark.cluster
