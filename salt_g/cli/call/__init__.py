"""`salt-g call`: run an execution function on this host."""
