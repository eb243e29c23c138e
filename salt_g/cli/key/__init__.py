"""`salt-g key`: keys of minions and invitations."""
