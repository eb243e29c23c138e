"""`salt-g master` and `salt-g minion`, and the process duties of a daemon."""
