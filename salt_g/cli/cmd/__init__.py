"""`salt-g cmd`, `match` and `cp`: commands that address minions by a target."""
