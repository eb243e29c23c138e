"""Regular expressions with a bound on their running time.

Begin with `bounded.py`; `cost.py` estimates the number of matching steps, `name_patterns.py` matches
names against globs or expressions, and lists of them.
"""
