"""Stock's `salt.utils.xdg`: directories of the user."""

import os


def xdg_config_dir() -> str:
    """Return the user's directory for configuration, of which salt-g reads nothing."""
    return os.path.join(os.getenv("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "salt")


__all__ = ["xdg_config_dir"]
