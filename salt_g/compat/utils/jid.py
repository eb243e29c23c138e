"""Stock's `salt.utils.jid`."""

from typing import Any

from salt_g.data import jid


def gen_jid(opts: Any = None) -> str:
    """Return a new job id."""
    return jid.make()


def is_jid(text: Any) -> bool:
    """Return whether a value has the form of a job id."""
    return isinstance(text, str) and jid.is_jid(text)
