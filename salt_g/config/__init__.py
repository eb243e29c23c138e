"""Settings: declared one by one, read from files, merged into one object. Begin with `setting.py`."""

from salt_g.config.settings import Settings, load

__all__ = ["Settings", "load"]
