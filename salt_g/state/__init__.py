"""The state engine: SLS to results. Begin with `engine.py`."""
