"""Settings: declared individually, read from files, merged into one object. Begin with `setting.py`."""

from salt_g.config.files import missing_directory
from salt_g.config.settings import Settings, load, remember_id

__all__ = ["Settings", "load", "missing_directory", "remember_id"]
