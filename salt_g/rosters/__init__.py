"""Rosters: the lists of hosts that `salt-g ssh` reaches without a minion.

Each has a function `targets(tgt, tgt_type)` that returns {id: settings of the host}; begin with `flat.py`.
`_selection.py` selects from the hosts of a list, and `_files.py` finds the file of a roster.
"""
