"""Does this minion match? Begin with `matchers.py`.

`matchers.py` takes values and returns a bool; `compound.py` reads compound expressions;
`service.py` answers for the running call.
"""
