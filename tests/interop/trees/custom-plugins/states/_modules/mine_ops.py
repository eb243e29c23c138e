"""A user's module."""

import logging

from salt.exceptions import CommandExecutionError

log = logging.getLogger(__name__)
__func_alias__ = {"list_": "list"}


def add(a, b=1, **kwargs):
    """Add."""
    return a + b


def list_():
    return [__grains__["id"], __opts__["id"], __salt__["test.echo"]("x")]


def context():
    __context__["seen"] = __context__.get("seen", 0) + 1
    return [__context__["seen"], __pillar__.get("nothing"), sorted(k for k in list_() if k)]


def raises():
    raise CommandExecutionError("no good")


def via_utils():
    return __utils__["mine_tools.twice"](21)


def _private():
    return "never"
