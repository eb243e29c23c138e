"""Helpers of returners: options, availability of a library, jids and job lists.

Shapes: options are looked up in settings, pillar and grains (on a master in settings only), flat
(`redis.host`) or nested (`redis: {host: ...}`); `ret_config: other` in a return searches below `other.`
first; `ret_kwargs` in a return take precedence.
Source: stock docs "Returners".
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g import api
from salt_g.data import jid as jids
from salt_g.shapes.loads import JobLoad, JobSummary


def options(name: str, ret: Any, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the returner `name` for a return; `defaults` has all options."""
    ret = ret if isinstance(ret, Mapping) else {}
    alternative = ret.get("ret_config")
    prefixes = [f"{alternative}.{name}", name] if alternative else [name]
    found = {option: _found(prefixes, option, default) for option, default in defaults.items()}
    overrides = ret.get("ret_kwargs")
    return {**found, **overrides} if isinstance(overrides, Mapping) else found


def as_json(value: Any) -> str:
    """Return a value as JSON; types unknown to JSON are written as text."""
    return json.dumps(value, default=str)


def available(library: str, *, extra: str) -> bool | tuple[bool, str]:
    """Return whether a returner's library is installed, in the form that `__virtual__` returns."""
    try:
        importlib.import_module(library)
    except ImportError:
        return False, f"the library {library} is missing: install salt-g[{extra}]"
    return True


def prepared_jid(passed_jid: str | None) -> str:
    """Return the jid given for a new job, or else a new jid."""
    return jids.make() if passed_jid is None else passed_jid


def listed(jid: str, load: JobLoad) -> JobSummary:
    """Return the summary of a job for job lists."""
    return {
        "Function": load.get("fun", "unknown-function"),
        "Arguments": list(load.get("arg") or []),
        "Target": load.get("tgt", "unknown-target"),
        "Target-type": load.get("tgt_type", "list"),
        "User": load.get("user", "root"),
        "StartTime": jids.started_at(jid) if jids.is_jid(jid[: jids.LENGTH]) else "",
    }


def _found(prefixes: list[str], option: str, default: Any) -> Any:
    for prefix in prefixes:
        for source in _sources():
            value = _in(source, prefix, option)
            if value is not None and value != "":
                return value
    return default


def _sources() -> Iterator[Mapping[str, Any]]:
    yield api.opts
    if api.opts.get("__role") != "master":
        yield api.pillar
        yield api.grains


def _in(source: Mapping[str, Any], prefix: str, option: str) -> Any:
    flat = source.get(f"{prefix}.{option}")
    if flat is not None:
        return flat
    nested: Any = source.get(prefix)
    return nested.get(option) if isinstance(nested, Mapping) else None
