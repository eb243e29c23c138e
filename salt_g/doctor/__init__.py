"""What `salt-g doctor` looks at: a list of findings about this host's master or minion.

Begin with `finding.py` (what a finding is), then `host.py` (checks that both roles share),
`master.py` and `minion.py` (what only one of them has).
"""
