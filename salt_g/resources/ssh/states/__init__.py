"""State modules of hosts reached by SSH; other states are the minion's own, using this type's modules."""
