"""Chat models behind endpoints, one file a protocol."""
