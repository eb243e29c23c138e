"""Settings of programs that connect to the master on this machine.

These programs read the master's settings. They write a log only if the user requests one, or if there are
warnings about settings.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft


def load(options: argparse.Namespace, overrides: Mapping[str, Any], *, asks_for_id: bool) -> OptsDraft:
    """Return the master's settings; raise ConfigError if they are invalid.

    Also raise ConfigError if the config directory is missing or the output file cannot be written. With
    `asks_for_id`, a name server may be queried for an id that is not configured.
    """
    from salt_g import config

    check_directory(options.config_dir)
    settings = config.load("master", options.config_dir, overrides, asks_for_id=asks_for_id)
    # Logging takes a tenth of the start-up time, and a client prints its messages anyway.
    if options.log_level or options.log_file or settings.warnings:
        import logging

        from salt_g.telemetry import log

        log.set_up(settings.opts)
        settings.log_files()
        for warning in settings.warnings:
            logging.getLogger(__name__).warning("%s", warning)
    return begin_file(settings.opts)


def check_directory(directory: str | None) -> None:
    """Raise ConfigError if the config directory given with -c does not exist.

    With defaults in its place, a command with a mistyped -c would act on another master's keys and minions.
    """
    from salt_g import config
    from salt_g.errors import ConfigError

    if problem := config.directory_problem(directory):
        raise ConfigError([problem])


def begin_file(opts: OptsDraft) -> OptsDraft:
    """Truncate the output file (`--out-file`); return settings with which all results are appended to it.

    Raise ConfigError if the file cannot be written, so that the command fails before it does anything.
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
