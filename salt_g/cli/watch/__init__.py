"""`salt-g event` and `salt-g top`: follow a running daemon."""
