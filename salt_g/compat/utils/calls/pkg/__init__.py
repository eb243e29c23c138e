"""Stock's `salt.utils.pkg`: the flag file for a due refresh of package lists, and version matching."""

import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g.compat.utils.values.versions import version_cmp
from salt_g.data.version_conditions import first_match, split_comparison

log = logging.getLogger(__name__)

#: Name of the flag file in `cachedir`, which exists while a refresh is due; the states `pkg` use it too.
_MARK = "pkg_refresh"


def rtag(opts: Mapping[str, Any]) -> str:
    """Return the path of the flag file, which exists while a state run still has to refresh."""
    return os.path.join(opts["cachedir"], _MARK)


def clear_rtag(opts: Mapping[str, Any]) -> None:
    """Remove the flag file if it exists."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(rtag(opts))


def write_rtag(opts: Mapping[str, Any]) -> None:
    """Create the flag file."""
    try:
        with open(rtag(opts), "a", encoding="utf-8"):
            pass
    except OSError as exc:
        log.warning("cannot write the flag file for a package refresh: %s", exc)


def check_refresh(opts: Mapping[str, Any], refresh: Any = None) -> bool:
    """Return whether to refresh: the caller's choice or, if that is None, whether the flag file exists."""
    return bool(refresh) or (refresh is None and os.path.isfile(rtag(opts)))


def match_version(
    desired: str,
    available: Iterable[str],
    cmp_func: Callable[..., Any] | None = None,
    ignore_epoch: bool = False,
) -> str | None:
    """Return the first version that satisfies a condition (`>=1.2`), or None if none does."""
    order = cmp_func or version_cmp
    return first_match(desired, available, lambda one, other: order(one, other, ignore_epoch=ignore_epoch))


def check_bundled() -> bool:
    """Return whether this program is one file with its own Python."""
    import sys  # Imported lazily: few plugins call this.

    return bool(getattr(sys, "frozen", False))


__all__ = ["check_bundled", "check_refresh", "clear_rtag", "match_version", "rtag", "split_comparison"]
__all__ += ["write_rtag"]
