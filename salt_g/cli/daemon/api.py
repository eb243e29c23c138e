"""`salt-g api`: run the HTTP API of the master on this host. Stock's `salt-api`."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import TYPE_CHECKING, Any

import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.daemon import daemon
from salt_g.process import fd_limit

if TYPE_CHECKING:
    from salt_g.cli.options import OptionParser
    from salt_g.config import Settings

_EPILOG = """\
examples:
  salt-g api                     in the foreground, logging to the terminal
  salt-g api -d                  in the background
  curl -d username=ann -d password=... -d eauth=pam http://127.0.0.1:8000/login

Its settings are in the master's config: rest_cherrypy (port, host, ssl_crt, ssl_key, ...),
netapi_enable_clients, external_auth. Without rest_cherrypy it listens on 127.0.0.1:8000.
"""
#: Libraries that the extra `api` installs.
_LIBRARIES = ("h11", "wsproto")


def main(words: list[str]) -> int:
    """Run the HTTP API; return the exit code."""
    parser = build_parser()
    asks = any(word in ("-h", "--help", "--version", "-V", "--versions-report") for word in words)
    if not asks and not has_libraries():
        print("salt-g api: h11 or wsproto is missing: pip install 'salt-g[api]'", file=sys.stderr)
        return exit_codes.FAILED
    return daemon.main("api", parser, words, _make, _adapted)


def has_libraries() -> bool:
    """Return whether the libraries of the extra `api` are installed."""
    return all(importlib.util.find_spec(name) is not None for name in _LIBRARIES)


def build_parser() -> OptionParser:
    """Return the option parser of `salt-g api`."""
    return daemon.build_parser("salt-g api", "Run the HTTP API of the master on this host.", _EPILOG)


def _adapted(settings: Settings) -> Settings:
    """Return the settings of the API, derived from those of its master."""
    opts = {**settings.opts}
    if settings.origins.get("pidfile") != "command line":
        opts["pidfile"] = opts["api_pidfile"]
    if settings.origins.get("log_file") != "command line":
        opts["log_file"] = opts["api_logfile"]
    if settings.origins.get("user") != "command line" and opts["api_user"]:
        opts["user"] = opts["api_user"]
    opts["api_sessions"] = os.path.join(opts["cachedir"], "api_sessions")
    return settings._replace(role="api", opts=opts)


def _make(settings: Settings) -> Any:
    from salt_g.http_api.daemon import Api

    fd_limit.allow(int(settings.opts["max_open_files"]))
    return Api(settings.opts)
