"""Language server for SLS files: diagnostics of `lint`, completion, hover and definitions.

An editor starts the server as a child process and speaks JSON-RPC on its standard input and output. Begin
with `session.py`, which has a method for each method of the protocol; `project.py` holds the tree and the
editor's unsaved texts.
"""
