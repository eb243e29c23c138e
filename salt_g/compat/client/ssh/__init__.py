"""Stock's `salt.client.ssh`: salt-ssh, which works differently here."""
