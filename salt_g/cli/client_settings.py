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

        from salt_g.telemetry import log

        log.set_up(settings.opts)
        for warning in settings.warnings:
            logging.getLogger(__name__).warning("%s", warning)
    return begin_file(settings.opts)


def begin_file(opts: dict[str, Any]) -> dict[str, Any]:
    """Empty the file that takes the results (`--out-file`), to which each of them is then appended.

    Raises ConfigError when it cannot be written, before anything is done.
    """
    path = opts.get("output_file")
    if not path or opts.get("output_file_append"):
        return opts
    try:
        with open(path, "w", encoding="utf-8"):
            return {**opts, "output_file_append": True}
    except OSError as exc:
        from salt_g.errors import ConfigError

        raise ConfigError([f"--out-file: {path}: {exc.strerror}"]) from exc
