"""Compiled states: high data, chunks, top files, graphs, without running them."""

from __future__ import annotations

from typing import Any

from salt_g.errors import InvocationError
from salt_g.modules.state._running import FAILED, SLS_ENV, compile_states, set_retcode, split


def show_highstate(queue: Any = None, **kwargs: Any) -> Any:
    """Return the high data of the SLS that the top file assigns to this minion, or a list of errors.

    Example::

        salt-g state.show_highstate
    """
    high = compile_states(
        lambda engine: engine.high_of_top().as_mapping(), kwargs, queue=queue, reads_default_test=False
    )
    if not high:
        set_retcode(FAILED)
    return high


def show_lowstate(queue: Any = None, **kwargs: Any) -> Any:
    """Return the chunks of the highstate in running order, or a list of errors.

    Example::

        salt-g state.show_lowstate
    """
    return compile_states(lambda engine: engine.low_of_top(), kwargs, queue=queue, reads_default_test=False)


def show_sls(mods: Any, test: bool | None = None, queue: Any = None, **kwargs: Any) -> Any:
    """Return the high data of SLS files, extensions not applied, or a list of errors.

    Example::

        salt-g state.show_sls web,db
    """
    return compile_states(
        lambda engine: engine.verified_high_of_sls(split(mods)).as_mapping(),
        kwargs,
        test=test,
        queue=queue,
        default_env=SLS_ENV,
    )


def show_low_sls(mods: Any, test: bool | None = None, queue: Any = None, **kwargs: Any) -> Any:
    """Return the chunks of SLS files in running order, or a list of errors.

    `extend`, `exclude` and requisites such as `require_in` are not applied.

    Example::

        salt-g state.show_low_sls web
    """
    return compile_states(
        lambda engine: engine.low_of_sls(split(mods)), kwargs, test=test, queue=queue, default_env=SLS_ENV
    )


def show_top(queue: Any = None, **kwargs: Any) -> Any:
    """Return the SLS that the top file assigns to this minion, by environment.

    Example::

        salt-g state.show_top
    """
    return compile_states(lambda engine: engine.top_matches(), kwargs, queue=queue)


def show_states(queue: Any = None, sort: bool = True, **kwargs: Any) -> Any:
    """Return the SLS of the highstate, included ones too, in the order in which they run.

    Example::

        salt-g state.show_states
    """
    chunks = show_lowstate(queue=queue, **kwargs)
    if any(not isinstance(chunk, dict) for chunk in chunks):
        return chunks
    return list(dict.fromkeys(chunk["__sls__"] for chunk in chunks))


def show_state_usage(queue: Any = None, **kwargs: Any) -> Any:
    """Return the used and unused SLS of each environment, by this minion's top file.

    Example::

        salt-g state.show_state_usage
    """
    return compile_states(lambda engine: engine.usage(), kwargs, queue=queue)


def sls_exists(mods: Any, test: bool | None = None, queue: Any = None, **kwargs: Any) -> bool:
    """Return whether these SLS exist and are well-formed.

    Example::

        salt-g state.sls_exists web
    """
    return isinstance(show_sls(mods, test=test, queue=queue, **kwargs), dict)


def id_exists(ids: Any, mods: Any, test: bool | None = None, queue: Any = None, **kwargs: Any) -> bool:
    """Return whether SLS files declare all these IDs.

    Example::

        salt-g state.id_exists nginx web
    """
    chunks = show_low_sls(mods, test=test, queue=queue, **kwargs)
    declared = {chunk["__id__"] for chunk in chunks if isinstance(chunk, dict)}
    return set(split(ids)) <= declared


def graph(mods: Any, test: bool | None = None, queue: Any = None, picture: str = "dot", **kwargs: Any) -> Any:
    """Return the dependency graph of SLS files as `picture`: DOT text, or `svg`.

    Example::

        salt-g state.graph web picture=svg --out=newline_values_only
    """
    return _drawn(lambda engine: engine.high_of_sls(split(mods)), kwargs, picture, test, queue)


def graph_highstate(queue: Any = None, picture: str = "dot", **kwargs: Any) -> Any:
    """Return the dependency graph of the highstate, as `state.graph` does.

    Example::

        salt-g state.graph_highstate picture=svg --out=newline_values_only
    """
    return _drawn(lambda engine: engine.high_of_top(), kwargs, picture, None, queue)


def _drawn(high_of: Any, options: dict[str, Any], picture: str, test: bool | None, queue: Any) -> Any:
    if picture not in ("dot", "svg"):
        raise InvocationError(f"picture has to be 'dot' or 'svg', not {picture!r}")
    return compile_states(
        lambda engine: getattr(engine, picture)(high_of(engine)), options, test=test, queue=queue
    )
