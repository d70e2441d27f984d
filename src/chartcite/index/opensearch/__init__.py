"""The index of a partition on OpenSearch, which several machines share; see docs/cluster.md."""
