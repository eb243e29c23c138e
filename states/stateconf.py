"""No-op states for SLS files rewritten by the stateconf renderer."""

from __future__ import annotations

from typing import Any

from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted

__func_alias__ = {"set_": "set"}


@takes_any
def set_(name: str, **kwargs: Any) -> StateReturn:
    """Do nothing: the renderer has read the arguments already.

    Example::

        salt-g state.single stateconf.set here
    """
    return as_wanted(name)


@takes_any
def context(name: str, **kwargs: Any) -> StateReturn:
    """Do nothing, like `set`.

    Example::

        salt-g state.single stateconf.context here
    """
    return as_wanted(name)
