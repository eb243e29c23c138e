"""States of authorized SSH keys.

Source: stock's `ssh_auth` states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g import api
from salt_g.api import call, opts, scratch
from salt_g.formats import sshkey
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change

DEFAULT_FILE = ".ssh/authorized_keys"


def present(
    name: str,
    user: str,
    enc: str = "ssh-rsa",
    comment: str = "",
    source: str = "",
    options: Sequence[str] | None = None,
    config: str = DEFAULT_FILE,
    fingerprint_hash_type: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a key is authorized to log in as a user.

    name
        The key, alone or as a whole line of an authorized_keys file.
    enc, comment, options
        The key's type, comment and options, unless `name` includes them.
    source
        URL of a file with keys; `name` is then any text.
    config
        Path of the authorized_keys file, relative to the user's home; it may contain sshd's `%h` and `%u`.

    Example::

        salt-g state.single ssh_auth.present AAAAC3Nz user=root enc=ed25519
    """
    where = {"config": config, "fingerprint_hash_type": fingerprint_hash_type}
    if source:
        made = _present_file(name, user, source, options, where)
    else:
        made = _present_line(_line(name, enc, comment, options), user, where)
    return {**made, "name": name}


def absent(
    name: str,
    user: str,
    enc: str = "ssh-rsa",
    comment: str = "",
    source: str = "",
    options: Sequence[str] | None = None,
    config: str = DEFAULT_FILE,
    fingerprint_hash_type: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a key is not authorized to log in as a user. For the arguments see `present`.

    Example::

        salt-g state.single ssh_auth.absent AAAAC3Nz user=root
    """
    where = {"config": config, "fingerprint_hash_type": fingerprint_hash_type}
    key = name if source else _line(name, enc, comment, options).key
    if opts.get("test"):
        return {**_plan_removal(key, user, source, where), "name": name}
    if not source:
        word = call("ssh.rm_auth_key", user, key, **where)
    else:
        word = call("ssh.rm_auth_key_from_file", user, source, saltenv=api.current().saltenv, **where)
    if word == "fail":
        return failed(name, _left_word() or f"No keys could be read from {source}")
    return changed(name, word, {key: "Removed"}) if word == "Key removed" else as_wanted(name, word)


def manage(
    name: str,
    ssh_keys: Sequence[str],
    user: str,
    enc: str = "ssh-rsa",
    comment: str = "",
    source: str = "",
    options: Sequence[str] | None = None,
    config: str = DEFAULT_FILE,
    fingerprint_hash_type: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that exactly these keys are authorized to log in as a user.

    ssh_keys
        Keys, or whole lines. For the other arguments see `present`.

    Example::

        salt-g state.single ssh_auth.manage keys user=root ssh_keys='[AAAAC3Nz]'
    """
    where: dict[str, Any] = {"config": config, "fingerprint_hash_type": fingerprint_hash_type}
    wanted = {word for text in ssh_keys for word in text.split(" ")}
    surplus = [key for key in call("ssh.auth_keys", user, **where) if key not in wanted]
    comments: list[str] = []
    changes: dict[str, Any] = {}
    result: bool | None = True
    for key in surplus:
        if opts.get("test"):
            comments.append(f"{key} Key set for removal")
            result = None
        else:
            changes[key] = absent(key, user, **where)["comment"]
    for text in ssh_keys:
        made = present(text, user, enc, comment, source, options, **where)
        changes.update(made["changes"])
        if not made["changes"]:
            comments.append(made["comment"])
        if made["result"] is not True and result is not False:
            result = made["result"]
    return outcome("", result, "\n".join(comments), changes)


def _line(name: str, enc: str, comment: str, options: Sequence[str] | None) -> sshkey.Line:
    """Parse a name: a whole line, or a key with an optional comment."""
    found = sshkey.parse(name)
    if found is not None:
        own = found.options or tuple(options or ())
        return sshkey.Line(found.enc, found.key, found.comment or comment, own)
    key, _, own_comment = name.strip().partition(" ")
    return sshkey.Line(enc, key, own_comment.strip() or comment, tuple(options or ()))


def _left_word() -> str:
    """Return the execution module's message about a file without keys."""
    return scratch.pop("ssh_auth.error", None) or ""


def _present_line(line: sshkey.Line, user: str, where: dict[str, Any]) -> StateReturn:
    if opts.get("test"):
        return _plan(line.key, user, line, where)
    parts = {"enc": line.enc, "comment": line.comment, "options": list(line.options)}
    return _set_return(line.key, user, call("ssh.set_auth_key", user, line.key, **parts, **where))


def _present_file(name: str, user: str, source: str, options: Any, where: dict[str, Any]) -> StateReturn:
    if opts.get("test"):
        return _plan_file(name, user, source, where)
    if not call("cp.cache_file", source, api.current().saltenv):
        return failed(name, f"Failed to add the ssh key. Source file {source} is missing")
    word = call(
        "ssh.set_auth_key_from_file", user, source, saltenv=api.current().saltenv, options=options, **where
    )
    return _set_return(name, user, word)


def _plan(key: str, user: str, line: sshkey.Line, where: dict[str, Any]) -> StateReturn:
    word = call("ssh.check_key", user, key, line.enc, line.comment, list(line.options), **where)
    if word == "exists":
        return as_wanted(key, f"The authorized host key {key} is already present for user {user}")
    return would_change(
        key, f"Key {key} for user {user} is set to be {'added' if word == 'add' else 'updated'}"
    )


def _plan_file(name: str, user: str, source: str, where: dict[str, Any]) -> StateReturn:
    keys = call("ssh.check_key_file", user, source, saltenv=api.current().saltenv, **where)
    lines = [f"Set to {word}: {key}\n" for key, word in keys.items() if word != "exists"]
    if lines:
        return would_change(name, "".join(lines))
    problem = _left_word()
    return (
        failed(name, problem)
        if problem
        else as_wanted(name, f"All host keys in file {source} are already present")
    )


def _plan_removal(key: str, user: str, source: str, where: dict[str, Any]) -> StateReturn:
    if not source:
        if key in call("ssh.auth_keys", user, **where):
            return would_change(key, f"Key {key} for user {user} is set for removal")
        return as_wanted(key, "Key is already absent")
    keys = call("ssh.check_key_file", user, source, saltenv=api.current().saltenv, **where)
    lines = [f"Set to remove: {one}\n" for one, word in keys.items() if word != "add"]
    if lines:
        return would_change(key, "".join(lines))
    problem = _left_word()
    return (
        failed(key, problem)
        if problem
        else as_wanted(key, f"All host keys in file {source} are already absent")
    )


def _set_return(key: str, user: str, word: str) -> StateReturn:
    if word == "replace":
        return changed(key, f"The authorized host key {key} for user {user} was updated", {key: "Updated"})
    if word == "new":
        return changed(key, f"The authorized host key {key} for user {user} was added", {key: "New"})
    if word == "no change":
        return as_wanted(key, f"The authorized host key {key} is already present for user {user}")
    if word == "fail":
        usual = "Failed to add the ssh key. Is the home directory available, and/or does the key file exist?"
        return failed(key, _left_word() or usual)
    return failed(key, "Invalid public ssh key, most likely has spaces or invalid syntax")
