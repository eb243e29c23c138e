"""States that fire events on the bus."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted, outcome, would_change


@takes_any
def send(
    name: str,
    data: Any = None,
    preload: Any = None,
    with_env: Any = False,
    with_grains: Any = False,
    with_pillar: Any = False,
    show_changed: bool = True,
    **kwargs: Any,
) -> StateReturn:
    """Fire an event with the tag `name`; further arguments go into its data.

    `with_env`, `with_grains` and `with_pillar` are True or a list of keys to send along; `show_changed`
    includes tag and data in the changes. `preload` is added to the request to the master. The result is what
    `event.send` returns.

    Example::

        salt-g state.single event.send acme/done data='{host: web1}'
    """
    changes = {"tag": name, "data": data} if show_changed else {}
    if opts["test"]:
        return would_change(name, "Event would have been fired", changes)
    sent = call(
        "event.send",
        name,
        data=data,
        preload=preload,
        with_env=with_env,
        with_grains=with_grains,
        with_pillar=with_pillar,
        **kwargs,
    )
    return outcome(name, sent, "Event fired", changes)


def wait(name: str, sfun: str | None = None, data: Any = None) -> StateReturn:
    """Fire an event only when a watched state has changed.

    Example::

        salt-g state.single event.wait acme/done
    """
    return as_wanted(name)


#: Called when a watched state has changed.
mod_watch = send
#: Old name of `send`.
fire_master = send
