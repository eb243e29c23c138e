"""Stock's `salt.utils.yamldumper`: classes for PyYAML's `dump`, and writing of YAML."""

from salt_g.compat.utils.values.yaml import (
    IndentedSafeOrderedDumper,
    SafeOrderedDumper,
    dump,
    get_dumper,
    safe_dump,
)

__all__ = ["IndentedSafeOrderedDumper", "SafeOrderedDumper", "dump", "get_dumper", "safe_dump"]
