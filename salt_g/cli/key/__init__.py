"""`salt-g key`: minion keys and invitations."""
