"""Stock's `salt.utils`: only the names that users' plugins are known to import.

Functions that had no file of their own before 2018 are still available here for old plugins.
"""

from salt_g.compat.utils.data import traverse_dict_and_list
from salt_g.compat.utils.files import fopen
from salt_g.compat.utils.path import which

__all__ = ["fopen", "traverse_dict_and_list", "which"]
