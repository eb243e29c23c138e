"""`salt-g ssh`: run functions and states on hosts without a minion, by SSH. Begin with `ssh.py`."""
