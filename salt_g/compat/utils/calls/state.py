"""Stock's `salt.utils.state`: tags and results of state calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.shapes import LowChunk, LowTag, low_tag


def gen_tag(low: LowChunk) -> str:
    """Return the key of a chunk in the running dict: `state_|-id_|-name_|-fun`."""
    return low_tag(low)


def check_result(running: Any, recurse: bool = False, highstate: Any = None) -> bool:
    """Return whether all states of a run succeeded; False for an empty run or other data.

    A failure counts as handled if `highstate` (high data) has states with `onfail` on the failed state and
    `onfail_stop: False`, and these succeeded. With `recurse`, values that are not mappings are skipped.
    """
    if not isinstance(running, dict) or not running:
        return False
    return all(
        _succeeded(tag, ret, recurse, highstate) or _is_handled(tag, ret, running, highstate)
        for tag, ret in running.items()
    )


def _succeeded(tag: Any, ret: Any, recurse: bool, highstate: Any) -> bool:
    if not recurse and not isinstance(ret, list if tag == "__extend__" else dict):
        return False
    if not isinstance(ret, dict):
        return True
    if "result" in ret:
        return ret["result"] is not False
    return check_result(ret, recurse=True, highstate=highstate)


def _is_handled(tag: Any, ret: Any, running: Mapping[str, Any], highstate: Any) -> bool:
    """Return whether a state's failure was handled: its last handler with a result True or False has True."""
    handled = False
    for number, (state_id, module) in enumerate(_handlers(tag, highstate) if tag and ret else ()):
        results = [one.get("result") for one in _returns(running, state_id, module)]
        if False in results:
            handled = False
        elif True in results:
            handled = True
        elif not number:
            handled = False
    return handled


def _handlers(tag: str, highstate: Any) -> Iterator[tuple[str, str]]:
    """Yield (ID, module) of the states in high data that handle the failure of this state."""
    failed = LowTag.parse(tag) if "_|-" in tag else None
    failed_id = tag if failed is None else failed.id
    for state_id, modules in highstate.items() if isinstance(highstate, dict) else ():
        for module, arguments in modules.items() if state_id != failed_id else ():
            if not isinstance(module, str) or module.startswith("__") or not isinstance(arguments, list):
                continue
            named = [argument for argument in arguments if isinstance(argument, dict)]
            if not any(argument.get("onfail_stop", True) is False for argument in named):
                continue
            for reference in (one for argument in named for one in argument.get("onfail") or ()):
                for kind, wanted in reference.items():
                    if wanted == failed_id and (failed is None or kind == failed.state):
                        yield state_id, module


def _returns(running: Mapping[str, Any], state_id: str, module: str) -> Iterator[Mapping[str, Any]]:
    for tag, ret in running.items():
        if "_|-" in tag:
            parsed = LowTag.parse(tag)
            is_it = (parsed.id, parsed.state) == (state_id, module)
        else:
            is_it = (ret.get("__id__") or tag) == state_id
        if is_it:
            yield ret


def merge_subreturn(
    original_return: dict[str, Any], sub_return: Mapping[str, Any], subkey: str | None = None
) -> dict[str, Any]:
    """Merge a second state return into the first one in place, and return the first.

    If the second failed, the result of the first becomes False. The comments are joined, and the changes of
    the second are stored under `subkey`, by default its `name`.
    """
    if sub_return["result"] is False:
        original_return["result"] = False
    comment = sub_return["comment"]
    lines = comment if isinstance(comment, list) else [comment]
    earlier = original_return.setdefault("comment", [])
    if isinstance(earlier, list):
        earlier.extend(lines)
    else:
        text = "\n".join(lines)
        original_return["comment"] = f"{earlier}\n{text}" if earlier else text
    if sub_return["changes"]:
        original_return.setdefault("changes", {})[subkey or sub_return["name"]] = sub_return["changes"]
    return original_return


def get_sls_opts(opts: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Return a copy of the settings with `saltenv` and `pillarenv` of a call."""
    wanted = {name: kwargs[name] for name in ("saltenv", "pillarenv") if kwargs.get(name) is not None}
    return {**opts, **wanted}
