"""Events: what they are called, who gets them, what they may start.

Begin with `tags.py` and `payloads.py` (every event that the daemons fire, by name), then `bus.py`
(subscribers in one process). `matching.py` compares tags, `minion_policy.py` says what a minion
may fire, `size_limit.py` keeps events small, `reactions.py` finds the reactor files of a tag.
"""
