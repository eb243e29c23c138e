"""Does this minion match? Begin with `matchers.py`."""
