"""Recording of the changes of state runs, and their reversal by `state.undo`.

Read `entries.py` (the description of a path), `journal.py` (the record of a run), `history.py` (the records
of the last runs on disk), `restore.py` (the restoration).
"""
