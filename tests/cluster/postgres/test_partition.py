"""tests/unit/index/test_partition.py and test_large.py on PostgreSQL."""

import pytest
from tests.unit.index.test_large import *  # noqa: F403
from tests.unit.index.test_partition import *  # noqa: F403

pytestmark = pytest.mark.cluster
