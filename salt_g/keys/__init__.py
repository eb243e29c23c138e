"""Minions' keys on disk, in stock's `pki_dir` layout.

Begin with `admission.py` (the decision about a key), then `store.py` (the four directories, and the commands
of operators). `directory.py` is one directory of keys, `policy.py` reads the lists for automatic acceptance
and rejection, `invitations.py` manages one-time codes, `pair.py` creates our own key pairs.
"""
