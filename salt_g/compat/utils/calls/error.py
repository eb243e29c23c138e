"""Stock's `salt.utils.error`: exceptions raised by name, and fired as events."""

import builtins
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g import stock_errors
from salt_g.compat.utils.calls.event import get_event
from salt_g.stock_errors import SaltException


def raise_error(name: str | None = None, args: Sequence[Any] | None = None, message: str = "") -> None:
    """Raise the exception `name` of Python or `salt.exceptions`, with these arguments or else this message.

    Without a name, raise Exception; for an unknown name, raise SaltException.
    """
    wanted = (name or "Exception").rpartition(".")[2]
    kind = getattr(stock_errors, wanted, None) or getattr(builtins, wanted, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = SaltException
    raise kind(*(args if args is not None else [message]))


def pack_exception(exc: Exception) -> dict[str, Any]:
    """Return an exception as data: {message, args}."""
    packer = getattr(exc, "pack", None)
    return dict(packer()) if callable(packer) else {"message": str(exc), "args": exc.args}


def fire_exception(
    exc: Exception, opts: Mapping[str, Any], job: Mapping[str, Any] | None = None, node: str = "minion"
) -> None:
    """Fire an exception as the event `_salt_error` of this master or minion, with the data of the job."""
    with get_event(node, opts=opts) as bus:
        bus.fire_event({**(job or {}), **pack_exception(exc)}, "_salt_error")


__all__ = ["fire_exception", "pack_exception", "raise_error"]
