"""External pillar `stack`: YAML files that see and change the data of earlier files.

Shapes: a configuration file lists files, one per line or as a YAML list, wildcards allowed; all are Jinja
templates. In a mapping the key `__` (in a list a first item {"__": ...}) sets the merge strategy:
`merge-last`, `merge-first`, `remove`, `overwrite`.
Errors: CommandExecutionError, reported in `_errors`.
"""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Iterator
from typing import Any

from salt_g import api
from salt_g.data.nested import traverse
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.formats.yaml_load import load
from salt_g.shapes import Arguments, PillarDict, TemplateVariables

log = logging.getLogger(__name__)

STRATEGIES = ("overwrite", "merge-first", "merge-last", "remove")


def stack(minion_id: str, pillar: PillarDict, *configs: str, **conditions: Any) -> PillarDict:
    """Return the stacked pillar.

    `configs` are configuration files that always apply; `conditions` are
    {"pillar:a:b" | "grains:x" | "opts:y": {value: file or files}}.
    """
    pillarenv = api.opts.get("pillarenv") or api.opts.get("saltenv") or "base"
    found: PillarDict = {}
    for config in (*configs, *_conditional(conditions, pillar, pillarenv)):
        if not os.path.isfile(config):
            log.info("pillar stack: %r does not exist", config)
            continue
        for path in _listed(config, {"minion_id": minion_id, "pillar": pillar, "stack": found}):
            text = _rendered(
                path, {"minion_id": minion_id, "pillar": pillar, "stack": found, "ymlpath": path}
            )
            data = _loaded(text, path)
            if isinstance(data, dict):
                found = merge_mapping(found, data)
    return found


def merge_mapping(base: PillarDict, over: PillarDict) -> PillarDict:
    """Return `base` with `over` merged into it by the strategy in the `__` of `over`."""
    strategy = _checked(over.get("__", "merge-last"))
    over = {key: value for key, value in over.items() if key != "__"}
    if strategy == "overwrite":
        return {key: _without_marks(value) for key, value in over.items()}
    merged = dict(base)
    for key, value in over.items():
        if strategy == "remove":
            merged.pop(key, None)
        elif key not in merged:
            merged[key] = _without_marks(value)
        elif strategy == "merge-first":
            merged[key] = _merged(_without_marks(value), merged[key])
        else:
            merged[key] = _merged(merged[key], value)
    return merged


def _merged(base: Any, over: Any) -> Any:
    if type(base) is not type(over):
        return _without_marks(over)
    if isinstance(over, dict):
        return merge_mapping(base, over)
    return _merge_list(base, over) if isinstance(over, list) else over


def _merge_list(base: list[Any], over: list[Any]) -> list[Any]:
    strategy = "merge-last"
    if over and isinstance(over[0], dict) and "__" in over[0]:
        strategy, over = _checked(over[0]["__"]), over[1:]
    if strategy == "remove":
        return [item for item in base if item not in over]
    return {"overwrite": over, "merge-first": over + base, "merge-last": base + over}[strategy]


def _checked(strategy: str) -> str:
    if strategy not in STRATEGIES:
        raise CommandExecutionError(f'Unknown strategy "{strategy}", should be one of {STRATEGIES}')
    return strategy


def _without_marks(value: Any) -> Any:
    """Return `value` without the keys and items that set merge strategies."""
    if isinstance(value, dict):
        return {key: _without_marks(item) for key, item in value.items() if key != "__"}
    if isinstance(value, list) and value and isinstance(value[0], dict) and "__" in value[0]:
        return value[1:]
    return value


def _conditional(conditions: Arguments, pillar: PillarDict, pillarenv: str) -> Iterator[str]:
    """Yield the configuration files whose condition is true."""
    sources: TemplateVariables = {"pillar": pillar, "grains": api.grains, "opts": api.opts}
    for condition, choices in conditions.items():
        kind, _, path = condition.partition(":")
        if kind not in sources:
            raise CommandExecutionError(
                f'Unknown traverse option "{kind}", should be one of {", ".join(sources)}'
            )
        choices = {pillarenv if value == "__env__" else value: files for value, files in choices.items()}
        files = choices.get(traverse(sources[kind], path), [])
        for file in files if isinstance(files, list) else [files]:
            yield file.replace("__env__", pillarenv)


def _listed(config: str, variables: TemplateVariables) -> Iterator[str]:
    """Yield the files listed in a configuration file."""
    text = _rendered(config, variables)
    try:
        data = load(text)
    except SaltGError:
        data = None
    for item in data if isinstance(data, list) else text.splitlines():
        paths = glob.glob(os.path.join(os.path.dirname(config), item)) if item.strip() else []
        yield from sorted(paths)


def _rendered(path: str, variables: TemplateVariables) -> str:
    names = {
        "__opts__": api.opts,
        "__salt__": api.functions,
        "__grains__": api.grains,
        "__stack__": {"traverse": traverse, "cfg_path": path},
        "pillarenv": api.opts.get("pillarenv"),
    }
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return api.services().render.render_template(text, engine="jinja", **names, **variables)
    except SaltGError as exc:
        raise CommandExecutionError(f'Stack pillar template render error in {path}:\n"{exc}"') from exc


def _loaded(text: str, path: str) -> Any:
    try:
        return load(text)
    except SaltGError as exc:
        raise CommandExecutionError(f"Stack pillar yaml parsing error in {path}:\n{exc}\n{text}") from exc
