"""What the HTTP API knows from its master and shares between requests: rights of users, rows of minions."""
