"""What people read on a terminal: lines of text made from results, with no access to the store."""
