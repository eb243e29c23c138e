"""Minions' keys on disk: who may sign in, in stock's `pki_dir` layout.

Begin with `admission.py` (the decision, values in and a verdict out), then `store.py` (the
four directories, and what operators do with them). `directory.py` is one directory of keys,
`policy.py` reads who is accepted or rejected by itself, `invitations.py` whom a one-time code lets in,
`pair.py` makes our own key pairs.
"""
