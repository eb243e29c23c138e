"""State modules of hosts reached by SSH; all others are the minion's own, over the modules of this type."""
