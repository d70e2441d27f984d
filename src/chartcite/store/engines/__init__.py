"""The databases that may hold a store's rows."""
