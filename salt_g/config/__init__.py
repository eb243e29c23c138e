"""Settings: declared individually, read from files, merged into one object. Begin with `setting.py`."""

from salt_g.config.files import directory_problem, without_own_file
from salt_g.config.settings import Settings, load, remember_id

__all__ = ["Settings", "directory_problem", "load", "remember_id", "without_own_file"]
