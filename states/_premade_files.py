"""States of agentless runs for certificates and keys created on the controlling side.

`x509` and `ssh_pki` have such states: the result is known beforehand, only the file remains to be written.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states import _key_files
from salt_g.states._file_lifecycle import file_managed, with_file
from salt_g.states._outcome import outcome

_NOT_IN_TEST = (
    '. The file was not actually updated - please pass test=opts.get("test") into the wrapper to enable '
    "proper test mode support."
)


def content(
    name: str,
    result: bool | None,
    comment: str,
    changes: dict[str, Any],
    data: bytes | None,
    **arguments: Any,
) -> StateReturn:
    """Set owner and mode of a file, then write the content; None keeps the current content."""
    returned = outcome(name, result, comment, changes)
    if not result:
        return returned
    existed = _key_files.is_file(name)
    written = file_managed(name, {"show_changes": False, **arguments}, replace=False)
    if written["result"] is False:
        verb = "update" if existed else "create"
        return with_file(written, outcome(name, False, f"Could not {verb} file, see file.managed output"))
    if data is not None and opts["test"]:
        returned = outcome(name, result, comment + _NOT_IN_TEST, changes)
    elif data is not None:
        _key_files.rewrite(name, data, arguments, existed=existed)
    return with_file(written, returned)


def file(
    name: str,
    result: bool | None,
    comment: str,
    changes: dict[str, Any],
    tempfile: str | None,
    **arguments: Any,
) -> StateReturn:
    """Set owner and mode of a file, then move the transferred file into place."""
    returned = outcome(name, result, comment, changes)
    if not result:
        return returned
    written = file_managed(name, {"show_changes": False, **arguments}, replace=False)
    if tempfile is None:
        return with_file(written, returned)
    if opts["test"]:
        _key_files.remove(tempfile)
        return outcome(name, result, comment + _NOT_IN_TEST, changes)
    try:
        _key_files.move(tempfile, name)
    except (OSError, CommandExecutionError) as exc:
        return outcome(name, False, f"{comment}. But: Failed moving the private key into place: {exc}")
    return with_file(written, returned)
