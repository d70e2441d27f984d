"""tests/unit/ingest/test_corridor.py on PostgreSQL."""

import pytest
from tests.unit.ingest.conftest import *  # noqa: F403
from tests.unit.ingest.test_corridor import *  # noqa: F403

pytestmark = pytest.mark.cluster
