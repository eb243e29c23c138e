"""Life cycle of a managed file: inspect it, compare it, create its content, write it with `file.managed`.

Keys, requests, certificates and revocation lists differ only in inspection and creation; owner, mode,
directories, links, test mode and texts are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g import api, x509
from salt_g.api import current, opts
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states import _key_files
from salt_g.states._key_files import rewrite
from salt_g.states._outcome import failed, outcome
from salt_g.x509.words import current_keywords as by_names_of_today

#: Arguments passed to `file.managed`.
_FILE_ARGUMENTS = (
    *("user", "group", "mode", "attrs", "makedirs", "dir_mode", "backup", "create", "follow_symlinks"),
    *("check_cmd", "tmp_dir", "tmp_ext", "selinux", "file_encoding", "encoding_errors", "win_owner"),
    *("win_perms", "win_deny_perms", "win_inheritance", "win_perms_reset"),
)


class Found(NamedTuple):
    """Content found in a file: the object (None if unreadable) and its differences."""

    thing: Any
    changes: dict[str, Any]


class Kind(NamedTuple):
    """One kind of managed object.

    `inspect` accepts the path of an existing file; `make` accepts the content found and returns the new
    content, as text or, for binary encodings, base64. `made` returns a more specific verb than "recreated".
    """

    noun: str
    encoding: str
    inspect: Callable[[str], Found]
    make: Callable[[Found], str]
    made: Callable[[Found], str] | None = None


def split_arguments(kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the arguments of `file.managed`, and the others under their current names."""
    wanted = {name: value for name, value in kwargs.items() if name in _FILE_ARGUMENTS}
    if "file_encoding" in wanted:
        wanted["encoding"] = wanted.pop("file_encoding")
    others = {name: value for name, value in kwargs.items() if name not in _FILE_ARGUMENTS}
    return {"show_changes": False, **wanted}, by_names_of_today(others)


def ensure_file(name: str, kind: Kind, arguments: Mapping[str, Any]) -> StateReturn:
    """Bring a file to the wanted content; `arguments` are those of `file.managed`."""
    try:
        return _kept(name, kind, arguments)
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))


def _kept(name: str, kind: Kind, arguments: Mapping[str, Any]) -> StateReturn:
    preview = file_managed(name, arguments, test=True, replace=False)
    fine = f"The {kind.noun} is in the correct state"
    if preview["result"] is False:
        return with_file(preview, failed(name, "Problem while testing file.managed changes, see its output"))
    if "is not present and is not set for creation" in preview["comment"]:
        return with_file(preview, outcome(name, True, fine))
    found = _inspect_target(name, kind, arguments)
    if not found.changes and preview["result"] and not preview["changes"]:
        return with_file(preview, outcome(name, True, fine))
    verb = "recreated" if found.thing is not None and found.changes else "created"
    if opts["test"]:
        comment = f"The {kind.noun} would have been {verb}" if found.changes else fine
        return with_file(preview, outcome(name, None if found.changes else True, comment, found.changes))
    content = kind.make(found) if found.changes else None
    done = kind.made(found) if kind.made is not None else verb
    comment = f"The {kind.noun} has been {done}" if found.changes else fine
    written = _write(name, kind, content, arguments)
    if written["result"] is False:
        change = "create" if found.thing is None else "update"
        return with_file(written, failed(name, f"Could not {change} file, see file.managed output"))
    return with_file(written, outcome(name, True, comment, found.changes))


def _inspect_target(name: str, kind: Kind, arguments: Mapping[str, Any]) -> Found:
    """Inspect the file behind a name; a link that is not followed counts as missing, to be replaced."""
    if _key_files.is_link(name) and not arguments.get("follow_symlinks", True):
        return Found(None, {"created": name, "replaced": name})
    path = _key_files.resolved(name)
    return kind.inspect(path) if _key_files.is_file(path) else Found(None, {"created": name})


def _write(name: str, kind: Kind, content: str | None, arguments: Mapping[str, Any]) -> Any:
    """Write text with `file.managed`; for bytes, first create the file with its owner and mode."""
    if content is not None and _key_files.is_link(name) and not arguments.get("follow_symlinks", True):
        _key_files.remove(name)
    if content is None or kind.encoding in ("pem", "pkcs7_pem"):
        return file_managed(name, arguments, contents=content, replace=content is not None)
    existed = _key_files.is_file(name)
    written = file_managed(name, arguments, replace=False)
    if written["result"] is not False:
        data = x509.encoding.from_text(content, kind.encoding)
        rewrite(name, data, arguments, existed=existed)
    return written


def file_managed(name: str, arguments: Mapping[str, Any], *, test: bool = False, **more: Any) -> Any:
    """Run the state `file.managed` on a file and return its result."""
    context = current().with_opts(test=True) if test else current()
    with api.use(context):
        return dict(context.table("states")["file.managed"](name, **arguments, **more))


def with_file(sub: dict[str, Any], ret: StateReturn) -> StateReturn:
    """Return a result with that of `file.managed` attached as its `sub_state_run`."""
    state_id = current().low.get("__id__", ret["name"])
    low = {"name": ret["name"], "state": "file", "__id__": state_id, "fun": "managed"}
    return {**ret, "sub_state_run": [{**sub, "low": low}]}
