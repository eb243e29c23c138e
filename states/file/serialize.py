"""Files of serialized data.

Source: stock docs of `file.serialize`; conformance case `file/serialize`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from typing import Any, cast

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.data.nested import merge_recursive
from salt_g.errors import SaltGError
from salt_g.formats import serializers
from salt_g.process.disk import mode_text
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, would_change
from salt_g.states.file.checkcmd import file_to_check, mod_run_check_cmd
from salt_g.states.file.checks import saltenv
from salt_g.states.file.contents import ContentRefused

#: Placeholder for a missing value in a difference of data.
_NOTHING = "<_null_>"

#: Default layout options per format, as in stock; the user's options override them.
_LAYOUTS: dict[str, dict[str, Any]] = {
    "yaml": {"default_flow_style": False},
    "json": {"indent": 2, "separators": (",", ": "), "sort_keys": True},
}
#: Extra options for a file with an explicit encoding, which may contain non-ASCII characters.
_ENCODED_LAYOUTS: dict[str, dict[str, Any]] = {"yaml": {"allow_unicode": True}}

Name = str | int | None


def serialize(
    name: str, dataset: Any = None, dataset_pillar: str | None = None, user: Name = None,
    group: Name = None, mode: Any = None, backup: str = "", makedirs: bool = False,
    show_changes: bool = True, create: bool = True, merge_if_exists: bool = False,
    encoding: str | None = None, encoding_errors: str = "strict", serializer: str | None = None,
    serializer_opts: Any = None, deserializer_opts: Any = None, check_cmd: str | None = None,
    tmp_dir: str | None = None, tmp_ext: str = "", **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a file holds `dataset` (or the pillar value at `dataset_pillar`), serialized.

    `serializer` (also `formatter`) is `yaml`, `yamlex`, `json`, `configparser`, `msgpack` or `toml`;
    `serializer_opts` and `deserializer_opts` are passed to it. `merge_if_exists` merges the data into the
    content of the file. The other arguments are those of `file.managed`.

    Example::

        /etc/app/config.json:
          file.serialize:
            - dataset:
                port: 8080
            - formatter: json
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.serialize")
    if not create and not os.path.isfile(name):
        return as_wanted(name, f"File {name} is not present and is not set for creation")
    try:
        kind = _kind(serializer, kwargs.pop("formatter", None))
        data = _given(dataset, dataset_pillar)
        present = _present(name, kind, deserializer_opts) if merge_if_exists else None
        if present is not None:
            data = merge_recursive(present, data)
            if data == present:
                return as_wanted(name, f"The file {name} is in the correct state")
        contents = _contents(kind, data, serializer_opts, bool(encoding))
    except ContentRefused as exc:
        return failed(name, str(exc))
    owner = {"user": user, "group": group, "mode": mode_text(mode)}
    if opts["test"]:
        ret = _planned(name, contents, owner, show_changes)
    else:
        placing = {
            "backup": backup, "makedirs": makedirs, "show_changes": show_changes, "encoding": encoding,
            "encoding_errors": encoding_errors, "contents": contents, **owner,
        }  # fmt: skip
        if check_cmd and (refusal := _refusal(name, check_cmd, tmp_dir, tmp_ext, placing)):
            return refusal
        ret = _placed(name, name, placing)
    if isinstance(present, dict) and isinstance(data, dict):
        ret["changes"]["diff"] = _data_difference(present, data)
    if deserializer_opts and not merge_if_exists:
        warning = "The 'deserializer_opts' option is ignored unless merge_if_exists is set to True."
        ret["warnings"] = [warning]
    return ret


def _kind(serializer: str | None, formatter: str | None) -> str:
    if serializer and formatter:
        raise ContentRefused("Only one of serializer and formatter are allowed")
    return str(serializer or formatter or "yaml").lower()


def _given(dataset: Any, dataset_pillar: str | None) -> Any:
    if dataset and dataset_pillar:
        raise ContentRefused("Only one of 'dataset' and 'dataset_pillar' is permitted")
    if dataset_pillar:
        dataset = call("pillar.get", dataset_pillar, unmask=True)
    if dataset is None:
        raise ContentRefused("Neither 'dataset' nor 'dataset_pillar' was defined")
    return dataset


def _present(name: str, kind: str, options: Any) -> Any:
    """Return the data in the file, or None if it does not exist."""
    if not os.path.isfile(name):
        return None
    read = serializers.reader(kind)
    if read is None:
        raise _unknown(kind)
    try:
        with open(name, "rb") as file:
            return read(file.read(), **_mapping(options))
    except (TypeError, ValueError, SaltGError) as exc:
        raise ContentRefused(f"Failed to deserialize existing data: {exc}") from exc


def _contents(kind: str, data: Any, options: Any, is_encoded: bool) -> str | bytes:
    write = serializers.writer(kind)
    if write is None:
        raise _unknown(kind)
    layout = {**_LAYOUTS.get(kind, {}), **(_ENCODED_LAYOUTS.get(kind, {}) if is_encoded else {})}
    try:
        text = write(data, **{**layout, **_mapping(options)})
    except (TypeError, ValueError, AttributeError, SaltGError) as exc:
        raise ContentRefused(f"Failed to serialize data with {kind}: {exc}") from exc
    return text if isinstance(text, bytes) else text + "\n"


def _mapping(options: Any) -> dict[str, Any]:
    """Return a mapping, or a list of mappings as written in SLS files, as one mapping."""
    if isinstance(options, dict):
        return options
    return {key: value for item in options or () for key, value in item.items()}


def _unknown(kind: str) -> ContentRefused:
    return ContentRefused(
        f"The {kind} serializer could not be found. It either does not exist or its prerequisites are not "
        "installed."
    )


def _planned(name: str, contents: str | bytes, owner: dict[str, Any], show_changes: bool) -> StateReturn:
    changes = call(
        "file.check_managed_changes", name=name, source=None, source_hash={}, source_hash_name=None,
        attrs=None, template=None, context=None, defaults=None, saltenv=saltenv(), contents=contents, **owner,
    )  # fmt: skip
    if not changes:
        return as_wanted(name, f"The file {name} is in the correct state")
    if not show_changes:
        changes["diff"] = "<show_changes=False>"
    return would_change(name, f"Dataset will be serialized and stored into {name}", changes)


def _refusal(
    name: str, check_cmd: str, tmp_dir: str | None, tmp_ext: str, placing: dict[str, Any]
) -> StateReturn | None:
    """Return the failed result if `check_cmd` rejects the new file."""
    temporary = file_to_check(tmp_ext, tmp_dir)
    try:
        if os.path.isfile(name):
            call("file.copy", name, temporary)
        if not _placed(name, temporary, placing)["changes"]:
            return None
        verdict = mod_run_check_cmd(check_cmd, temporary)
        if not isinstance(verdict, dict):
            return None
        returned: Any = {**failed(name, ""), **verdict}
        return cast(StateReturn, returned)
    except (SaltGError, OSError) as exc:
        return failed(name, f"Unable to check_cmd file: {exc}")
    finally:
        with contextlib.suppress(FileNotFoundError):
            safe_files.remove_file(temporary)


def _placed(name: str, path: str, placing: dict[str, Any]) -> StateReturn:
    blank = {"name": name, "changes": {}, "comment": "", "result": True}
    ret: StateReturn = call(
        "file.manage_file", name=path, sfn="", ret=blank, source=None, source_sum={}, attrs=None,
        saltenv=saltenv(), template=None, **placing,
    )  # fmt: skip
    return ret


def _data_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return {key: {"old", "new"}} of added and changed values, nested like the data."""
    found: dict[str, Any] = {}
    for key, value in new.items():
        if key not in old:
            found[key] = {"new": value, "old": _NOTHING}
        elif value != old[key]:
            both = isinstance(value, Mapping) and isinstance(old[key], Mapping)
            found[key] = _data_difference(old[key], value) if both else {"new": value, "old": old[key]}
    return found
