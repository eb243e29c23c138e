"""Events: tags, payloads, delivery, reactor files.

Begin with `tags.py` and `payloads.py` (the events that daemons fire, by name), then `bus.py` (subscribers in
one process). `matching.py` compares tags, `minion_policy.py` limits minions' events, `size_limit.py` keeps
events small, `reactor_table.py` finds the reactor files of a tag.
"""
