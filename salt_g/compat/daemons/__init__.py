"""Stock's `salt.daemons`."""
