"""Settings: declared one by one, read from files, merged into one object. Begin with `setting.py`."""
