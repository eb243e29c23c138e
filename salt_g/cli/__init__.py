"""The command line: words in, exit code out. Begin with `dispatch.py`."""
