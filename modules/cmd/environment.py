"""Environment variables of a command.

They are merged from four sources, of which later ones override earlier ones: the environment of salt-g, the
C locale, the user's login, and the variables of the caller. With `runas`, USER and HOME are always the
login's.

Source: stock's `cmd.run` (`env`, `clean_env`, `reset_system_locale`, `prepend_path`).
"""

from __future__ import annotations

import logging
import os
from typing import Any

from salt_g.modules.cmd.options import DEFAULT_SHELL, Options
from salt_g.process import command

log = logging.getLogger(__name__)

#: Set to C by default, so that output is in English and date formats do not vary.
#: Not LC_ALL, which would disable UTF-8 in programs that check only that.
LOCALE_VARIABLES = (
    *(f"LC_{part}" for part in ("CTYPE", "NUMERIC", "TIME", "COLLATE", "MONETARY", "MESSAGES", "PAPER")),
    *(f"LC_{part}" for part in ("NAME", "ADDRESS", "TELEPHONE", "MEASUREMENT", "IDENTIFICATION")),
    "LANGUAGE",
)


def environment_of(options: Options, who: command.Identity | None) -> dict[str, str]:
    """Return the whole environment of a command that runs as `who` (None: the current user)."""
    given = _given(options.env)
    wanted = dict(given)
    if options.runas and who is not None:
        wanted = {**command.login_environment(who, options.shell or DEFAULT_SHELL), **given}
        wanted |= {"USER": who.name, "HOME": who.home}
    if options.reset_system_locale:
        wanted = {**dict.fromkeys(LOCALE_VARIABLES, "C"), **wanted}
    whole = wanted if options.clean_env else {**os.environ, **wanted}
    if options.prepend_path:
        whole["PATH"] = os.pathsep.join([options.prepend_path, whole.get("PATH", os.defpath)])
    # A child's readiness notice to systemd would be taken for the daemon's.
    if "NOTIFY_SOCKET" not in given:
        whole.pop("NOTIFY_SOCKET", None)
    return whole


def _given(env: Any) -> dict[str, str]:
    """Return the caller's `env`, a mapping or a list of mappings, as {name: text}; None becomes ''."""
    if isinstance(env, list):
        env = {key: value for item in env if isinstance(item, dict) for key, value in item.items()}
    if not isinstance(env, dict):
        return {}
    for name in (name for name, value in env.items() if value is None):
        log.error("Environment variable '%s' passed without a value. Setting value to an empty string", name)
    return {str(name): "" if value is None else str(value) for name, value in env.items()}
