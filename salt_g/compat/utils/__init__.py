"""Stock's `salt.utils`: only what users' plugins were seen to import.

The functions that had no file of their own before 2018 are still reached here by old plugins.
"""

from salt_g.compat.utils.data import traverse_dict_and_list
from salt_g.compat.utils.files import fopen
from salt_g.compat.utils.path import which

__all__ = ["fopen", "traverse_dict_and_list", "which"]
