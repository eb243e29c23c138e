"""Stock's `salt._logging`: names of log levels. When a plugin is loaded, logging is set up already."""

import logging

from salt_g.telemetry.log import LEVELS

LOG_LEVELS = dict(LEVELS)
LOG_VALUES_TO_LEVELS = {value: name for name, value in LOG_LEVELS.items()}
SORTED_LEVEL_NAMES = sorted(LOG_LEVELS, key=lambda name: LOG_LEVELS[name])


def get_logging_level_from_string(level: str | None) -> int:
    """Return the number of a log level; None means `warning`, an unknown name `error`; case is ignored."""
    if not level:
        return logging.WARNING
    return LOG_LEVELS.get(level.lower(), logging.ERROR)


__all__ = ["LOG_LEVELS", "LOG_VALUES_TO_LEVELS", "SORTED_LEVEL_NAMES", "get_logging_level_from_string"]
