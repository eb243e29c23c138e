"""Documentation of this minion's states, in Markdown or rendered from a template of yours.

Pillar or settings::

    highstate_doc.config:
      filter_id_regex: ['.*!doc_skip']          # states to leave out, by id
      filter_function_regex: []                 # states to leave out, by `module.function`
      replace_text_regex: {'password:.*': 'password: ...'}
      max_render_file_size: 10000               # bytes; contents of larger files are left out
      processor: highstate_doc.processor_markdown

The document contains the contents of managed files, so store it where only people who may read them have
access.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import call, current, services
from salt_g.errors import CommandExecutionError
from salt_g.formats.yaml_dump import dump
from salt_g.modules._highstate_doc_templates import FACTS, HEAD, STATES

log = logging.getLogger(__name__)

_DEFAULTS: dict[str, Any] = {
    "filter_id_regex": [".*!doc_skip"],
    "filter_function_regex": [],
    "replace_text_regex": {},
    "processor": "highstate_doc.processor_markdown",
    "max_render_file_size": 10000,
    "note": None,
}
#: {name of a setting in stock's documentation: its name in stock's code}
_OTHER_NAMES = {
    "filter_state_function_regex": "filter_function_regex",
    "text_replace_regex": "replace_text_regex",
}
#: (heading, requisites) in the order of the document.
_REQUISITES = (
    ("run or update after changes in:", ("watch", "onchanges")),
    ("after changes, run or update:", ("watch_in", "onchanges_in")),
    ("required in:", ("require_in",)),
    ("require:", ("require",)),
)
#: Fields of a low chunk that are not its arguments, or that are shown elsewhere.
_NO_ARGUMENTS = frozenset(
    (
        *("state", "fun", "name", "order", "__id__", "__sls__", "__env__", "__prereq__"),
        *("require", "require_in", "watch", "watch_in", "onchanges_in"),
    )
)
_STATS = ("gid", "group", "mode", "size", "uid", "user")
_FENCE, _NO_FENCE = "```", "``[`][markdown parse fix]"


def markdown_basic_jinja_template(**kwargs: Any) -> str:
    """Return the template of a document with the states only.

    Example::

        salt-g highstate_doc.markdown_basic_jinja_template
    """
    return STATES


def markdown_default_jinja_template(**kwargs: Any) -> str:
    """Return the template of a document with a head and the states.

    Example::

        salt-g highstate_doc.markdown_default_jinja_template
    """
    return HEAD + STATES


def markdown_full_jinja_template(**kwargs: Any) -> str:
    """Return the template of a document with a head, addresses, disks, mounts and the states.

    Example::

        salt-g highstate_doc.markdown_full_jinja_template
    """
    return HEAD + FACTS + STATES


def render(
    jinja_template_text: str | None = None,
    jinja_template_function: str = "highstate_doc.markdown_default_jinja_template",
    **kwargs: Any,
) -> str:
    """Return the document about the highstate, rendered from a template.

    jinja_template_text
        A template; its variables are `lowstates`, `config` and `kwargs`.
    jinja_template_function
        Execution function that returns the template, used without `jinja_template_text`.

    Further arguments are passed to this function and to the processor.

    Example::

        salt-g highstate_doc.render jinja_template_function=highstate_doc.markdown_basic_jinja_template
    """
    config = _config()
    template = jinja_template_text or call(jinja_template_function, **kwargs)
    if not template:
        raise CommandExecutionError("No jinja template text")
    text = services().render.render_template(
        template,
        engine="jinja",
        saltenv=current().saltenv,
        context={"lowstates": process_lowstates(**kwargs), "config": config, "kwargs": kwargs},
        path="",
    )
    for pattern, replacement in config["replace_text_regex"].items():
        text = re.sub(pattern, replacement, text)
    return text


def process_lowstates(**kwargs: Any) -> list[Any]:
    """Run the configured processor on each state of the highstate that is not filtered; return the results.

    Example::

        salt-g highstate_doc.process_lowstates
    """
    config, chunks = _config(), call("state.show_lowstate")
    if not isinstance(chunks, list) or not all(isinstance(chunk, Mapping) for chunk in chunks):
        raise CommandExecutionError(f"the highstate cannot be compiled, see state.show_lowstate: {chunks}")
    return [
        call(config["processor"], chunk, config, **kwargs)
        for chunk in chunks
        if not _matches_one(config["filter_id_regex"], chunk["__id__"])
        and not _matches_one(config["filter_function_regex"], f"{chunk['state']}.{chunk['fun']}")
    ]


def processor_markdown(
    lowstate_item: Mapping[str, Any], config: Mapping[str, Any], **kwargs: Any
) -> dict[str, Any]:
    """Return id, names, requisites and details of a state, the latter two as Markdown.

    Example::

        salt-g highstate_doc.processor_markdown "{state: test, fun: nop, name: x, __id__: x}" "{}"
    """
    state, id = lowstate_item["state"], lowstate_item["__id__"]
    return {
        "vars": dict(lowstate_item),
        "state": state,
        "name": lowstate_item["name"],
        "function": lowstate_item["fun"],
        "id": id,
        "id_full": f"{state}: {id}",
        "state_function": f"{state}.{lowstate_item['fun']}",
        "markdown": {"requisites": _requisites(lowstate_item), "details": _details(lowstate_item, config)},
    }


def read_file(name: str) -> str | None:
    """Return the text of a file, or None if it cannot be read.

    Example::

        salt-g highstate_doc.read_file /root/README.md
    """
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as exc:
        log.error("%s", exc)
        return None


def _config() -> dict[str, Any]:
    wanted = call("config.get", "highstate_doc.config", {})
    named: dict[str, Any] = {
        _OTHER_NAMES.get(str(name), str(name)): value for name, value in dict(wanted or {}).items()
    }
    return {**_DEFAULTS, **named}


def _matches_one(patterns: Iterable[str], text: str) -> bool:
    return any(re.match(pattern, text) for pattern in patterns)


def _requisites(chunk: Mapping[str, Any]) -> str:
    """Return the requisites of a state with links to their sections."""
    lines = []
    for heading, kinds in _REQUISITES:
        links = dict.fromkeys(_link(one) for kind in kinds for one in chunk.get(kind) or ())
        lines += [heading, *(f" * {link}" for link in links)] if links else []
    return "".join(f"{line}\n" for line in lines)


def _link(requisite: Any) -> str:
    """Return a Markdown link to a state's section, with the anchor that is derived from its heading."""
    if not isinstance(requisite, Mapping):
        return str(requisite)
    title = ", ".join(f"{state}: {id}" for state, id in requisite.items())
    anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    return f"[{title}](#{anchor})"


def _details(chunk: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """Describe the effect of a state: a note, packages or a file, and its arguments for other states."""
    function, name = f"{chunk['state']}.{chunk['fun']}", chunk["name"]
    arguments = {key: value for key, value in chunk.items() if key not in _NO_ARGUMENTS}
    if function == "highstate_doc.note":
        source = call("cp.get_file_str", chunk["source"]) if chunk.get("source") else ""
        return f"\n{source or ''}{chunk.get('contents') or ''}\n"
    if function == "pkg.installed":
        return f"\n{_FENCE}\ninstall: {chunk.get('pkgs') or name}\n{_FENCE}\n"
    if function == "file.managed":
        return _file(name, config)
    if function == "file.blockreplace":
        return f"ensure block of content is in file\n{_block(str(chunk.get('content', '')))}"
    if function == "file.recurse":
        whole = (
            "".join(_file(path, config) for path in _files_below(name))
            if "!doc_recurse" in chunk["__id__"]
            else ""
        )
        return f"recurse copy of files\n{_block(_yaml(arguments))}{whole}"
    return _block(_yaml(arguments).rstrip("\n")) if arguments else ""


def _file(path: str, config: Mapping[str, Any]) -> str:
    """Return owner, mode and contents of a file."""
    if not os.path.isfile(path):
        return f"file {path} does not exist yet\n"
    stats = call("file.stats", path)
    head = f"file stat {path}\n{_block(_yaml({name: stats[name] for name in _STATS}).rstrip())}"
    limit = int(config["max_render_file_size"])
    if stats["size"] > limit:
        return head + _block(
            f"SKIPPED LARGE FILE!\nSet highstate_doc.config:max_render_file_size > {stats['size']} to render."
        )
    return f"{head}file data {path}\n{_block(read_file(path) or '')}"


def _files_below(path: str) -> list[str]:
    return sorted(os.path.join(at, name) for at, _, names in os.walk(path) for name in names)


def _yaml(data: Mapping[str, Any]) -> str:
    return dump(dict(data), default_flow_style=False)


def _block(text: str) -> str:
    """Return a text as a code block, with fences in the text replaced because they would end the block."""
    return f"{_FENCE}\n{text.replace(_FENCE, _NO_FENCE)}\n{_FENCE}\n"
