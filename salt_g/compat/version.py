"""Stock's `salt.version`: the Salt release whose behaviour this follows."""

from salt_g import SALT_LEVEL

__version__ = SALT_LEVEL
__saltstack_version__ = SALT_LEVEL
__version_info__ = tuple(int(part) for part in SALT_LEVEL.split("."))
