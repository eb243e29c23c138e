"""`file.managed` for hosts: files with a wanted content, owner and mode.

The content is built on the managing minion; one round trip reads the state of the file on the host, a second
one changes it.
Source: stock docs of `file.managed`, including its comments and changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, current, opts, services
from salt_g.errors import SaltGError
from salt_g.formats.urls import is_remote, local_part
from salt_g.process.disk import mode_text
from salt_g.resources.ssh import _files, _sources
from salt_g.resources.ssh._backups import place_of_copy
from salt_g.resources.ssh._changes import difference
from salt_g.resources.ssh._files import PathState
from salt_g.resources.ssh.states.file._outcome import (
    Name,
    Refused,
    absolute,
    owner_problem,
    result,
    wrong_owner,
)
from salt_g.resources.ssh.states.file.accumulated import accumulated_texts
from salt_g.shapes import Arguments, Changes, StateReturn

_TO_BE_CHANGED = (
    "The file {} is set to be changed\n"
    "Note: No changes made, actual changes may\nbe different due to other states."
)
#: Arguments that work only on the machine itself; states that use them are refused.
_ELSEWHERE = ("attrs", "selinux", "signature", "source_hash_sig")


def managed(
    name: str, source: Any = None, source_hash: Any = "", user: Name = None, group: Name = None,
    mode: Any = None, template: str | None = None, makedirs: bool = False, dir_mode: Any = None,
    context: Any = None, replace: bool = True, defaults: Any = None, backup: str = "",
    show_changes: bool = True, create: bool = True, contents: Any = None, contents_pillar: Any = None,
    contents_grains: Any = None, contents_newline: bool = True, contents_delimiter: str = ":",
    encoding: str | None = None, encoding_errors: str = "strict", allow_empty: bool = True,
    follow_symlinks: bool = True, check_cmd: Any = None, skip_verify: bool = False,
    new_file_diff: bool = False, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a file of the host has the content of a source or given contents, and an owner and mode.

    Sources and templates are those of a minion's `file.managed`; they are fetched and rendered on the
    managing minion with the grains and pillar of the host. `backup: minion` keeps old versions on the host,
    in the directory that a minion there would use.

    Example::

        /etc/motd:
          file.managed:
            - source: salt://motd.jinja
            - template: jinja
            - mode: '0644'
    """
    try:
        return _Managed(locals()).done()
    except Refused as exc:
        return result(name, False, str(exc))
    except (SaltGError, OSError, UnicodeError) as exc:
        return result(name, False, f"Unable to manage file: {exc}")


class _Managed:
    """One run of the state; `args` holds its arguments by name."""

    def __init__(self, args: Arguments) -> None:
        self._args = args
        self._name = absolute(args["name"], "managed")
        self._saltenv = current().saltenv or "base"
        self._user = args["user"] or args["kwargs"].get("owner")
        self._group = args["group"]
        for option in _ELSEWHERE:
            if args["kwargs"].get(option):
                raise Refused(f"{option} is not supported for hosts of resource type ssh")
        keeps = str(args["mode"]).lower() == "keep"
        self._mode = self._source_mode() if keeps else mode_text(args["mode"])

    def done(self) -> StateReturn:
        content = self._content() if self._args["replace"] or not self._is_there() else None
        wanted = "" if content is None else hashlib.sha256(content).hexdigest()
        seen = _files.path_state(
            self._name,
            follow=self._args["follow_symlinks"],
            wanted=wanted,
            user=self._user,
            group=self._group,
        )
        problem = owner_problem(seen, self._user, self._group)
        if problem and not opts["test"]:
            raise Refused(problem)
        if seen.is_directory:
            raise Refused(f"Specified target {self._name} is a directory")
        if not seen.lexists and not self._args["create"]:
            return result(self._name, True, f"File {self._name} is not present and is not set for creation")
        changes = self._changes(seen, content, wanted)
        if not changes:
            return result(
                self._name,
                True,
                f"File {self._name} is in the correct state"
                if not opts["test"]
                else f"The file {self._name} is in the correct state",
            )
        if opts["test"]:
            return result(self._name, None, _TO_BE_CHANGED.format(self._name), self._planned(seen, changes))
        return self._brought(seen, content, changes)

    def _is_there(self) -> bool:
        return _files.path_state(self._name).lexists

    def _changes(self, seen: PathState, content: bytes | None, wanted: str) -> dict[str, Any]:
        """Return the differences, in the form of `changes`."""
        changes: Changes = {}
        if not seen.exists:
            changes.update({"new": f"file {self._name} created"} if content is None else {"diff": "New file"})
            if content is not None and self._args["new_file_diff"]:
                changes["diff"] = difference(b"", content, show=self._args["show_changes"])
            if self._mode is not None:
                changes["mode"] = self._mode
            return changes
        if content is not None and seen.hash != wanted:
            changes["diff"] = difference(seen.content, content, show=self._args["show_changes"])
        return {**changes, **wrong_owner(seen, self._user, self._group, self._mode)}

    def _planned(self, seen: PathState, changes: Changes) -> dict[str, Any]:
        return changes if seen.exists else {"newfile": self._name}

    def _brought(self, seen: PathState, content: bytes | None, changes: Changes) -> StateReturn:
        owner = _files.owner_text(self._user, self._group)
        if "diff" in changes or "new" in changes:
            data = content or b""
            self._check(data)
            born = f"{seen.uid}:{seen.gid}" if seen.exists and not owner else owner
            if seen.exists and owner:
                born = _files.owner_text(
                    seen.uid if self._user in (None, "") else self._user,
                    seen.gid if self._group in (None, "") else self._group,
                )
            _files.write(
                self._name, data, mode=self._mode or (seen.mode if seen.exists else "0644"), owner=born,
                makedirs=self._args["makedirs"], dir_mode=_directory_mode(self._args["dir_mode"], self._mode),
                follow=self._args["follow_symlinks"], keep=place_of_copy(self._name, self._args["backup"]),
            )  # fmt: skip
        else:
            mode = self._mode or seen.mode
            _files.set_permissions(self._name, owner=owner, mode=mode, follow=self._args["follow_symlinks"])
        comment = "Empty file" if "new" in changes else f"File {self._name} updated"
        return result(self._name, True, comment, changes)

    def _check(self, content: bytes) -> None:
        """Run `check_cmd` with the path of a copy of the new file as its last argument; raises Refused."""
        command = self._args["check_cmd"]
        for text in [command] if isinstance(command, str) else command or ():
            with _files.private_file(content, self._mode or "0600") as path:
                done = call("cmd.run_all", f"{text} {path}", python_shell=True, ignore_retcode=True)
            if done["retcode"]:
                said = done["stderr"] or done["stdout"]
                raise Refused(f"check_cmd determined the state failed. {text} says: {said}".rstrip())

    def _content(self) -> bytes | None:
        """Return the wanted content, or None if only owner and mode matter."""
        args = self._args
        given = [args[name] for name in ("contents", "contents_pillar", "contents_grains")]
        has_contents = any(value is not None for value in given)
        if args["source"] and has_contents:
            raise Refused(
                "'source' cannot be used in combination with 'contents', 'contents_pillar', or "
                "'contents_grains'"
            )
        if sum(value is not None for value in given) > 1:
            raise Refused("Only one of 'contents', 'contents_pillar', and 'contents_grains' is permitted")
        if not (args["source"] or has_contents):
            return None
        return self._from_source() if args["source"] else self._from_contents()

    def _from_source(self) -> bytes:
        source, wanted = _first(self._args["source"], self._args["source_hash"], self._saltenv)
        if (
            is_remote(source)
            and not wanted
            and not self._args["skip_verify"]
            and not source.startswith("salt:")
        ):
            raise Refused(f"Unable to verify upstream hash of source file {source}, please set source_hash")
        content = _sources.cached_bytes(source, self._saltenv)
        if content is None:
            raise Refused(f"Unable to manage file: Source file '{source}' not found")
        if wanted and not source.startswith("salt:"):
            _sources.check_hash(content, str(wanted), source)
        template = self._args["template"]
        return self._rendered(content.decode(), source).encode() if template else content

    def _from_contents(self) -> bytes:
        args = self._args
        value = args["contents"]
        if args["contents_pillar"] is not None:
            value = self._looked_up("pillar.get", "Pillar", args["contents_pillar"], unmask=True)
        elif args["contents_grains"] is not None:
            value = self._looked_up("grains.get", "Grain", args["contents_grains"])
        if not value and not args["allow_empty"]:
            raise Refused(
                "value would result in empty contents. Set allow_empty to True to allow the managed "
                "file to be empty."
            )
        if isinstance(value, bytes):
            return value
        text = "".join(f"{line.rstrip()}\n" if line.endswith("\r") else f"{line}\n" for line in _lines(value))
        text = text if args["contents_newline"] else text.rstrip("\n")
        text = self._rendered(text, "") if args["template"] else text
        return text.encode(args["encoding"] or "utf-8", args["encoding_errors"])

    def _looked_up(self, function: str, kind: str, keys: Any, **options: Any) -> Any:
        missing = object()
        found = []
        for key in keys if isinstance(keys, list) else [keys]:
            value = call(function, key, missing, delimiter=self._args["contents_delimiter"], **options)
            if value is missing:
                raise Refused(f"{kind} {key} does not exist")
            found.append(value)
        return "\n".join(map(str, found)) if isinstance(keys, list) else found[0]

    def _rendered(self, text: str, source: str) -> str:
        args = self._args
        for option in ("context", "defaults"):
            if args[option] and not isinstance(args[option], Mapping):
                raise Refused(f"{option.title()} must be formed as a dict")
        facts = {
            "name": self._name,
            "source": source,
            "user": self._user,
            "group": self._group,
            "mode": self._mode,
        }
        collected = accumulated_texts(self._name)
        variables = {**facts, **args["kwargs"], **(args["defaults"] or {}), **(args["context"] or {})}
        if collected:
            variables["accumulator"] = collected
        return _sources.rendered(text, args["template"], self._saltenv, variables)

    def _source_mode(self) -> str | None:
        if not self._args["source"]:
            raise Refused("Mode preservation cannot be used without a source")
        source, _ = _first(self._args["source"], "", self._saltenv)
        if is_remote(source):
            return None
        found = services().files.stat_file(local_part(source), self._saltenv)
        return None if found is None else f"{found.st_mode & 0o7777:04o}"


def _lines(value: Any) -> list[str]:
    parts = [value] if isinstance(value, str) else value if isinstance(value, list) else [str(value)]
    return [line for part in parts for line in str(part).splitlines()]


def _first(source: Any, source_hash: Any, saltenv: str) -> tuple[str, Any]:
    """Return the first existing source of a list, and its hash."""
    if not isinstance(source, list):
        return str(source), source_hash
    for item in source:
        url, wanted = next(iter(item.items())) if isinstance(item, Mapping) else (item, source_hash)
        if _sources.cached_path(str(url), saltenv):
            return str(url), wanted
    raise Refused("Unable to manage file: none of the specified sources were found")


def _directory_mode(mode: Any, file_mode: str | None) -> str:
    """Return the mode of created directories; by default, all who have access to the file may enter them."""
    if mode is not None:
        return mode_text(mode) or ""
    if file_mode is None:
        return ""
    return "".join(digit if digit == "0" else str(int(digit) | 1) for digit in file_mode[-3:])
