"""Mine in a call on a host, with values published by minions and values of hosts in the roster.

Hosts publish nothing, so the function is called on each host that the target selects. Its arguments are in
`mine_functions` of the roster entry, of pillar or of the master's settings, in this order. Without a
definition the function is called without arguments, on hosts that have not published a value as minions.
Shapes: {id: value}, for several functions {function: {id: value}}.
Errors: RosterError, TargetError.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g import api
from salt_g.cli.ssh.host_calls import HostCall, HostReturn, function_on, on_targeted_hosts, reached
from salt_g.cli.ssh.host_contexts import HostContexts
from salt_g.data import jid as jids
from salt_g.errors import StoreError, TargetError
from salt_g.match.matchers import MinionView, matches
from salt_g.rosters._selection import nodegroups
from salt_g.shapes import Opts
from salt_g.shapes.loads import MineValues

log = logging.getLogger(__name__)

#: Setting with the definitions: {name: arguments}, or a list of names.
SETTING = "mine_functions"
#: Argument that names the function behind an alias.
_ALIAS = "mine_function"


class _Definition(NamedTuple):
    """Definition of a mine function: call, and target of the hosts that may read the value (None: all)."""

    fun: str
    args: list[Any]
    kwargs: Mapping[str, Any]
    readers: Any
    readers_type: str


class HostMine:
    """Implementation of `mine.get` for hosts; `opts` are the settings of the command."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts

    def get(
        self,
        tgt: Any,
        fun: Any,
        tgt_type: str = "glob",
        exclude_minion: bool = False,
        roster: str | None = None,
        ssh_minions: bool = True,
        regular_minions: bool = True,
    ) -> MineValues:
        """Return values of the mine by id; for several functions (a list, or comma-separated) by function.

        Minions (`regular_minions`) have the values that they published last; hosts of the roster
        (`ssh_minions`) call the function now. `roster` replaces the roster of the command.

        Example::

            salt-g ssh web1 mine.get 'db*' network.ip_addrs
        """
        reader = str(api.opts["id"])
        names = fun if isinstance(fun, list) else [name.strip() for name in str(fun).split(",")]
        found: dict[str, MineValues] = {name: {} for name in names}
        if regular_minions:
            self._add_minions(found, tgt, tgt_type, reader)
        if ssh_minions:
            self._add_hosts(found, tgt, tgt_type, roster, reader)
        if exclude_minion:
            for values in found.values():
                values.pop(reader, None)
        if isinstance(fun, list) or len(names) > 1:
            return {name: values for name, values in found.items() if values}
        return found[names[0]]

    def _add_minions(self, found: Mapping[str, MineValues], tgt: Any, tgt_type: str, reader: str) -> None:
        """Add values that minions published for the functions `found`."""
        from salt_g.cli.ssh.master_data import MasterData  # Imported lazily: it reads the store.

        try:
            data = MasterData(self._opts)
            for name, values in found.items():
                values.update(data.mine_get(tgt, name, tgt_type, reader=reader))
        except StoreError as exc:
            # This machine may have a roster and no master.
            log.info("mine values of minions are not available: %s", exc)

    def _add_hosts(
        self, found: Mapping[str, MineValues], tgt: Any, tgt_type: str, roster: str | None, reader: str
    ) -> None:
        """Call the functions `found` on the hosts of a target, and add their values."""

        def work(contexts: HostContexts, id: str) -> HostReturn:
            values = {}
            for name, published in found.items():
                definition = _definition(name, contexts, id, self._opts)
                if definition is None:
                    if id in published:
                        # The host also runs a minion, whose own configuration may define the function.
                        continue
                    definition = _parsed(name, [])
                if self._may_read(definition, reader, name):
                    values[name] = function_on(contexts, id, _call(definition))
            return HostReturn(id, values, 0)

        def connect_and_work(contexts: HostContexts, id: str) -> HostReturn:
            return reached(contexts, id, lambda: work(contexts, id))

        for one in on_targeted_hosts(self._opts, tgt, tgt_type, roster, connect_and_work):
            if one.is_error:
                log.error("%s: cannot call the mine functions of this host: %s", one.id, one.value)
                continue
            for name, value in one.value.items():
                if value.is_error or value.retcode:
                    log.error("%s: Error executing mine func %s: %s", one.id, name, value.value)
                else:
                    found[name][one.id] = value.value

    def _may_read(self, definition: _Definition, reader: str, name: str) -> bool:
        """Return whether `allow_tgt` of the definition selects a reader by its id."""
        if not definition.readers:
            return True
        minion = MinionView(reader, {}, {}, nodegroups(self._opts))
        try:
            return matches(definition.readers, definition.readers_type, minion)
        except TargetError as exc:
            log.error("mine function %s has an invalid allow_tgt, so no host may read it: %s", name, exc)
            return False


def _call(definition: _Definition) -> HostCall:
    return HostCall(definition.fun, definition.args, definition.kwargs, jids.make())


def _definition(name: str, contexts: HostContexts, id: str, opts: Opts) -> _Definition | None:
    """Return the definition of a mine function on a host, None if there is none."""
    sources: tuple[Callable[[], Mapping[str, Any]], ...] = (
        lambda: contexts.minion_opts(id),
        lambda: contexts.pillar(id),
        lambda: opts,
    )
    for read in sources:
        given = read().get(SETTING) or {}
        if name in given:
            return _parsed(name, given[name] if isinstance(given, Mapping) else [])
    return None


def _parsed(name: str, given: Any) -> _Definition:
    """Parse the arguments of a mine function: a mapping, or a list of values and mappings."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for item in given if isinstance(given, list) else [given] if given else []:
        if isinstance(item, Mapping):
            kwargs.update(item)
        else:
            args.append(item)
    fun = str(kwargs.pop(_ALIAS, None) or name)
    readers, readers_type = kwargs.pop("allow_tgt", None), str(kwargs.pop("allow_tgt_type", None) or "glob")
    return _Definition(fun, args, kwargs, readers, readers_type)
