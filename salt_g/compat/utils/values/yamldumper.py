"""Stock's `salt.utils.yamldumper`: dumper classes for PyYAML's `dump`, and functions that write YAML."""

from salt_g.compat.utils.values.yaml import (
    IndentedSafeOrderedDumper,
    SafeOrderedDumper,
    dump,
    get_dumper,
    safe_dump,
)

__all__ = ["IndentedSafeOrderedDumper", "SafeOrderedDumper", "dump", "get_dumper", "safe_dump"]
