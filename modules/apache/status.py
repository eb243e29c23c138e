"""Counters of a running server, from its page `server-status`.

Settings: `apache.server-status:<profile>:` followed by `url`, `user`, `pass`, `realm` or `timeout` (seconds).
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call

#: Letters of the states of workers in the field `Scoreboard`.
_WORKERS = "_SRWKDCLGI."


def server_status(profile: str = "default") -> dict[str, Any] | str:
    """Return the counters of a running server, or 'error' if it does not respond.

    `Scoreboard` is {letter of a state: number of workers in it}. `profile` selects the settings.

    Example::

        salt-g apache.server_status my-profile
    """
    text = _page(lambda name, default: call("config.get", f"apache.server-status:{profile}:{name}", default))
    if text is None:
        return "error"
    rows = (line.partition(":") for line in text.splitlines())
    values = {name.strip(): value.strip() for name, between, value in rows if between}
    board = values.pop("Scoreboard", "")
    found: dict[str, Any] = {"Scoreboard": {letter: board.count(letter) for letter in _WORKERS}}
    return {**found, **{name: _number(value) for name, value in values.items()}}


def _page(setting: Any) -> str | None:
    # urllib.request takes 40 ms to import, and only this function asks a server.
    import urllib.error
    import urllib.request

    url = setting("url", "http://localhost/server-status")
    user, password = setting("user", ""), setting("pass", "")
    handlers: list[Any] = []
    if user and password:
        who = {"realm": setting("realm", ""), "uri": url, "user": user, "passwd": password}
        for kind in (urllib.request.HTTPBasicAuthHandler, urllib.request.HTTPDigestAuthHandler):
            handlers.append(kind())
            handlers[-1].add_password(**who)
    try:
        opener = urllib.request.build_opener(*handlers)
        with opener.open(f"{url}?auto", timeout=setting("timeout", 5)) as answer:
            return str(answer.read().decode("utf-8", "replace"))
    except (urllib.error.URLError, OSError):
        return None


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
