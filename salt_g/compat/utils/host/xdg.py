"""Stock's `salt.utils.xdg`: directories of the user."""

import os


def xdg_config_dir() -> str:
    """Return the user's configuration directory; salt-g itself does not read it."""
    return os.path.join(os.getenv("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "salt")


__all__ = ["xdg_config_dir"]
