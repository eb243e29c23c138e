"""Stock's `salt.utils.profile`: profiling of functions."""

import cProfile
import functools
import os
import pstats
from collections.abc import Callable
from typing import Any


def profile_func(filename: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that profiles each call with `cProfile` and dumps the statistics to a file."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def measured(*args: Any, **kwargs: Any) -> Any:
            profile = cProfile.Profile()
            try:
                return profile.runcall(function, *args, **kwargs)
            finally:
                profile.dump_stats(filename or f"{function.__name__}_profile.out")

        return measured

    return decorated


def activate_profile(test: bool = True) -> cProfile.Profile | None:
    """Start a profile and return it; return None unless `test`."""
    if not test:
        return None
    profile = cProfile.Profile()
    profile.enable()
    return profile


def output_profile(
    pr: cProfile.Profile | None, stats_path: str = "/tmp/stats", stop: bool = False, id_: Any = None
) -> str | None:
    """Stop a profile and write its statistics to a file in `stats_path`; return its path.

    Return None if `pr` is None.
    """
    if pr is None:
        return None
    pr.disable()
    os.makedirs(stats_path, mode=0o700, exist_ok=True)
    path = os.path.join(stats_path, f"{id_ or os.getpid()}.pstat")
    pstats.Stats(pr).dump_stats(path)
    return path


__all__ = ["activate_profile", "output_profile", "profile_func"]
