"""`salt-g run`: runner functions of the master."""
