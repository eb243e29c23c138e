"""States that rewrite files of the host through a local copy: settings, data, patches.

The minion's state module `file` changes the copy, and the result is written to the host (`_editing.py`).
Source: stock docs of `file.keyvalue`, `file.serialize` and `file.patch`.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.errors import SaltGError
from salt_g.resources.ssh import _editing, _files
from salt_g.resources.ssh._files import PathState
from salt_g.resources.ssh.states.file._outcome import Name, Refused, absolute, result
from salt_g.resources.ssh.states.file.managed import managed
from salt_g.shapes import Arguments, StateReturn


def keyvalue(name: str, key: str | None = None, value: Any = None, **options: Any) -> StateReturn:
    """Ensure that a file of the host has settings; the options are those of a minion's `file.keyvalue`.

    Example::

        /etc/ssh/sshd_config:
          file.keyvalue:
            - key_values:
                PermitRootLogin: 'no'
            - separator: ' '
            - uncomment: '# '
            - append_if_not_found: True
    """
    return _by_copy(name, "keyvalue", {**_given(options), "key": key, "value": value})


def patch(name: str, source: Any = None, reject_file: str | None = None, **options: Any) -> StateReturn:
    """Ensure that a patch is applied to a file of the host, with the program `patch` of the managing minion.

    Directories and `reject_file` are refused.

    Example::

        /opt/app/app.py:
          file.patch:
            - source: salt://app.patch
    """
    if reject_file is not None:
        return result(name, False, "reject_file is not supported for hosts of resource type ssh")
    return _by_copy(name, "patch", {**_given(options), "source": source}, must_exist=True)


def serialize(
    name: str, dataset: Any = None, dataset_pillar: str | None = None, user: Name = None,
    group: Name = None, mode: Any = None, backup: str = "", makedirs: bool = False,
    show_changes: bool = True, create: bool = True, check_cmd: Any = None, **options: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a file of the host holds serialized data; see `file.serialize` for the options.

    Example::

        /etc/app/config.json:
          file.serialize:
            - dataset:
                port: 8080
            - formatter: json
    """
    try:
        absolute(name, "serialize")
        seen = _text(name)
        if not create and not seen.exists:
            return result(name, True, f"File {name} is not present and is not set for creation")
        keywords = {**_given(options), "dataset": dataset, "dataset_pillar": dataset_pillar}
        made, content = _editing.stated(name, seen, "serialize", **keywords)
    except (Refused, SaltGError) as exc:
        return result(name, False, str(exc))
    if made["result"] is False or content is None:
        return made
    return managed(
        name, contents=content, user=user, group=group, mode=mode, backup=backup, makedirs=makedirs,
        show_changes=show_changes, check_cmd=check_cmd,
    )  # fmt: skip


def _by_copy(name: str, function: str, options: Arguments, *, must_exist: bool = False) -> StateReturn:
    """Run a minion's file state on a copy, and write the result to the host."""
    try:
        absolute(name, function)
        seen = _text(name)
        if must_exist and not seen.exists:
            raise Refused(f"{name} does not exist")
        done, content = _editing.stated(name, seen, function, **options)
        is_new = content is not None and content != seen.content
        if is_new and content is not None and done["result"] and not opts["test"]:
            _editing.put(name, seen, content)
    except (Refused, SaltGError) as exc:
        return result(name, False, str(exc))
    return done


def _text(name: str) -> PathState:
    seen = _files.path_state(name, wanted=_files.CONTENT)
    if seen.is_directory:
        raise Refused(f"{name} is a directory, which is not supported for hosts of resource type ssh")
    if seen.exists and seen.content is None:
        raise Refused(f"{name} is too large to be edited ({seen.size} bytes)")
    return seen


def _given(options: Arguments) -> Arguments:
    return {name: value for name, value in options.items() if name[:2] != "__"}
