"""Matching of minions and resources against targets. Begin with `matchers.py`.

`matchers.py` takes values and returns a bool; `compound.py` evaluates compound expressions; `service.py`
serves the running call.
"""
