"""Jobs and variables in users' crontabs of the host, with the names and returns of a minion's `cron`.

The minion's module `cron` parses and changes the crontabs; the program `crontab` that it runs is the host's.
The managing minion must have that module, and therefore a `crontab` program too.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import current
from salt_g.errors import CommandExecutionError


def raw_cron(user: str) -> str:
    """Return the text of a user's crontab, or '' if the user has none.

    Example::

        salt-g web-01 cron.raw_cron root
    """
    return str(_done("raw_cron", user))


def list_tab(user: str) -> dict[str, Any]:
    """Return a user's crontab: pre (foreign lines), crons, special, env.

    Example::

        salt-g web-01 cron.list_tab root
    """
    return dict(_done("list_tab", user))


def ls(user: str) -> dict[str, Any]:
    """Alias of `cron.list_tab`.

    Example::

        salt-g web-01 cron.ls root
    """
    return list_tab(user)


def get_entry(user: str, identifier: str | None = None, cmd: str | None = None) -> Any:
    """Return the job with this identifier or, without one, this command; False if there is none.

    Example::

        salt-g web-01 cron.get_entry root identifier=task1
    """
    return _done("get_entry", user, identifier, cmd)


def set_job(
    user: str, minute: Any, hour: Any, daymonth: Any, month: Any, dayweek: Any, cmd: str, **options: Any
) -> str:
    """Ensure that a job is in a crontab; return `new`, `updated`, `present`, or an error text.

    Example::

        salt-g web-01 cron.set_job root '*' '*' '*' '*' 1 /usr/local/weekly
    """
    return str(_done("set_job", user, minute, hour, daymonth, month, dayweek, cmd, **options))


def set_special(user: str, special: str, cmd: str, **options: Any) -> str:
    """Ensure that a job with a named time (`@hourly`) is in a crontab; see `cron.set_job`.

    Example::

        salt-g web-01 cron.set_special root @hourly 'echo foobar'
    """
    return str(_done("set_special", user, special, cmd, **options))


def rm_job(user: str, cmd: str, **options: Any) -> str:
    """Remove a job; return `removed`, `absent`, or an error text.

    Example::

        salt-g web-01 cron.rm_job root /usr/local/weekly
    """
    return str(_done("rm_job", user, cmd, **options))


def rm(user: str, cmd: str, **options: Any) -> str:
    """Alias of `cron.rm_job`.

    Example::

        salt-g web-01 cron.rm root /usr/local/weekly
    """
    return rm_job(user, cmd, **options)


def rm_special(user: str, cmd: str, **options: Any) -> str:
    """Remove a job with a named time; return `removed`, `absent`, or an error text.

    Example::

        salt-g web-01 cron.rm_special root /usr/bin/foo
    """
    return str(_done("rm_special", user, cmd, **options))


def set_env(user: str, name: str, value: str | None = None, test: bool = False) -> str:
    """Set a variable in a crontab; return `new`, `updated`, `present`, or an error text.

    Example::

        salt-g web-01 cron.set_env root MAILTO user@example.com
    """
    return str(_done("set_env", user, name, value, test=test))


def rm_env(user: str, name: str, test: bool = False) -> str:
    """Remove a variable from a crontab; return `removed`, `absent`, or an error text.

    Example::

        salt-g web-01 cron.rm_env root MAILTO
    """
    return str(_done("rm_env", user, name, test=test))


def _done(function: str, *args: Any, **options: Any) -> Any:
    """Call the minion's function on behalf of the host, where the programs of the function run."""
    functions = current().services.plugins.table("minion.modules")
    known = {name: value for name, value in options.items() if name[:2] != "__"}
    if (name := f"cron.{function}") not in functions:
        raise CommandExecutionError(
            "crontabs of hosts are edited by the module cron of the managing minion, which also needs"
            " the program crontab (Debian: cron)"
        )
    return functions[name](*args, **known)
