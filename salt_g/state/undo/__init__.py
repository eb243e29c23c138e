"""Changes of state runs, kept to be reverted by `state.undo`.

Read `entries.py` (what there was at a path), `journal.py` (the record of a run), `history.py` (the records of
the last runs on disk), `restore.py` (the way back).
"""
