"""The settings of programs that speak to the master on this machine.

Why its own file: they read the master's settings, and log only when they are asked to.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any


def load(options: argparse.Namespace, overrides: Mapping[str, Any], *, asks_for_id: bool) -> dict[str, Any]:
    """Return the master's settings; raises ConfigError.

    `asks_for_id` lets a name server be asked for an id that nobody configured.
    """
    from salt_g import config

    settings = config.load("master", options.config_dir, overrides, asks_for_id=asks_for_id)
    # Logging is a tenth of the start, and what a client has to say it prints.
    if options.log_level or options.log_file or settings.warnings:
        import logging

        from salt_g import log

        log.set_up(settings.opts)
        for warning in settings.warnings:
            logging.getLogger(__name__).warning("%s", warning)
    return settings.opts
