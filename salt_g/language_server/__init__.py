"""Language server for SLS files: what `lint` finds while they are written, and what can stand at the cursor.

An editor starts it as a child and speaks JSON-RPC on standard input and output. Begin with `session.py`,
which has a method for each method of the protocol; `project.py` holds the tree with the unsaved texts of the
editor.
"""
