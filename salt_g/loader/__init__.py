"""Plugin files to functions: found by index, gated, wrapped. Begin with `loader.py`."""
