"""`salt-g ssh`: functions and states on hosts without a minion, by SSH; begin with `ssh.py`."""
