"""`salt-g master`, `salt-g minion` and `salt-g api`, and the process management that daemons share."""
