"""Whether something is in a record: present, denied, not mentioned and conflicting are four different answers."""
