"""Stock's `salt.utils`: only the names that users' plugins are known to import.

Each package below holds modules of one kind; `import salt.utils.<module>` searches all of these packages.
Functions that stock moved into separate modules in 2018 are still available here for old plugins.
"""

from salt_g.compat.utils.host.files import fopen
from salt_g.compat.utils.host.path import which
from salt_g.compat.utils.values.data import traverse_dict_and_list

__all__ = ["fopen", "traverse_dict_and_list", "which"]
