"""Signature checks of commits and tags by the `git` program, against the given keys only.

The exit code of `git verify-commit` and `git verify-tag` decides; their output is only quoted. Settings of
the user and of the system are ignored, and S/MIME signatures are invalid.
Units: seconds. Errors: FileServerError if a check could not be completed, so that no result is cached.
"""

from __future__ import annotations

import os
import re

from salt_g.errors import CommandExecutionError, FileServerError
from salt_g.git.signers import SignerKeys, clean_environment
from salt_g.process.command import Finished, run, which

#: Time limit of one signature check (s).
TIMEOUT = 30
#: Maximum length of a quoted output of a program (characters).
_QUOTED = 200

#: Keywords of gpg's status lines, and their meaning for a commit.
_GPG_STATUS = (
    ("BADSIG", "its signature by {} does not match its content"),
    ("REVKEYSIG", "the key {} of its signer is revoked"),
    ("EXPKEYSIG", "the key {} of its signer has expired"),
    ("EXPSIG", "its signature by {} has expired"),
    ("NO_PUBKEY", "the key {} of its signer is not in the signers' file"),
)
_SSH_KEY = re.compile(r"key (SHA256:[A-Za-z0-9+/=]+)")


def problem_of(kind: str, sha: str, git_dir: str, keys: SignerKeys) -> str:
    """Return why a `commit` or `tag` has no valid signature by a signer, or '' if it has one."""
    done = _verify(kind, sha, git_dir, keys)
    return "" if done.retcode == 0 else _reason(done.out + done.err)


def _verify(kind: str, sha: str, git_dir: str, keys: SignerKeys) -> Finished:
    gpg = which("gpg") or "/nonexistent/gpg"
    settings = {
        "gpg.program": gpg,
        "gpg.openpgp.program": gpg,
        "gpg.ssh.program": which("ssh-keygen") or "/nonexistent/ssh-keygen",
        "gpg.ssh.allowedSignersFile": keys.allowed_signers,
        "gpg.x509.program": "/nonexistent/gpgsm",
        "core.hooksPath": os.devnull,
        "core.fsmonitor": "false",
    }
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    argv = ["git", f"--git-dir={git_dir}", *options, f"verify-{kind}", "--raw", sha]
    try:
        return run(argv, env=clean_environment(keys.gnupg_home), timeout=TIMEOUT)
    except CommandExecutionError as exc:
        raise FileServerError(f"the signature of {sha} cannot be checked: {exc}") from exc


def _reason(said: str) -> str:
    """Return the reason for a failed check, from the output of git."""
    for word, sentence in _GPG_STATUS:
        found = re.search(rf"\[GNUPG:\] {word} ([0-9A-F]+)", said)
        if found:
            return sentence.format(found[1])
    key = _SSH_KEY.search(said)
    if key:
        return f"the key {key[1]} of its signer is not in the signers' file"
    if "nonexistent" in said:
        return "its signature is of an unknown kind, or needs a missing program (gpg or ssh-keygen)"
    lines = [line for line in said.splitlines() if line.strip() and not line.startswith("[GNUPG:]")]
    if not lines:
        return "it has no signature"
    return f"its signature is not valid: {_quoted(lines[-1])}"


def _quoted(line: str) -> str:
    """Return a line without control characters, truncated, because a commit's author controls parts of it."""
    return "".join(char if char.isprintable() else "?" for char in line.strip())[:_QUOTED]
