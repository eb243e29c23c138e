"""Setting `verify` of a repository: the signers of served commits, and the refs that can be rolled back.

Shapes: `{signers: FILE or [FILE, ...], allow_rollback: BOOL or [GLOB, ...]}`, or `false`; the setting
`gitfs_verify` or `git_pillar_verify` is the default of the option `verify` of one repository.
Errors: ConfigError, as a mistake in this setting must not cause unverified commits to be served.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import ConfigError

#: Keys of the setting `verify`.
_KNOWN = ("signers", "allow_rollback")


class VerifyRules(NamedTuple):
    """Files with the signers' public keys, and globs of branches and tags that may move backwards.

    `setting` is the setting that contains the rules, for messages; `conf_file` is the main settings file.
    """

    signers: tuple[str, ...]
    allow_rollback: tuple[str, ...] = ()
    setting: str = ""
    conf_file: str = ""
    default_include: str = ""

    def may_go_back(self, name: str) -> bool:
        """Return whether a branch or tag may move to a commit that is not a descendant, or vanish."""
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.allow_rollback)

    def needs_history(self) -> bool:
        """Return whether the ancestors of commits must be fetched, to check that refs move forwards."""
        return "*" not in self.allow_rollback

    def where(self) -> str:
        """Return `FILE:LINE: SETTING`, or only the setting if it is not from a file."""
        from salt_g.config import files  # Imported lazily: for messages only.

        if not self.conf_file:
            return self.setting
        place = files.read_all(self.conf_file, self.default_include).origins.get(self.setting)
        return f"{place}: {self.setting}" if place else self.setting


def rules_of(
    own: Mapping[str, Any], opts: Mapping[str, Any], where: str, *, listed_in: str, default: str
) -> VerifyRules | None:
    """Return the rules in a repository's options `own`, else those in the setting `default`.

    `listed_in` is the setting that lists the repository. An option without a value counts as missing.
    """
    value = own.get("verify")
    if value is None:
        return read_rules(opts.get(default), where, default, opts)
    return read_rules(value, where, listed_in, opts)


def read_rules(value: Any, where: str, setting: str, opts: Mapping[str, Any]) -> VerifyRules | None:
    """Return the rules of one repository, or None if it is not verified; `where` is a prefix of messages."""
    if value is None or value is False or value == {}:
        return None
    if isinstance(value, list):
        value = {name: item for part in value if isinstance(part, Mapping) for name, item in part.items()}
    if not isinstance(value, Mapping):
        raise ConfigError([f"{where}: verify must be written as 'verify: {{signers: FILE}}', not {value!r}"])
    unknown = sorted(str(name) for name in set(value) - set(_KNOWN))
    if unknown:
        raise ConfigError(
            [f"{where}: verify: unknown names {', '.join(unknown)}; known: {', '.join(_KNOWN)}"]
        )
    return VerifyRules(
        signers=_signers(value.get("signers"), where),
        allow_rollback=_globs(value.get("allow_rollback"), where),
        setting=setting,
        conf_file=str(opts.get("conf_file") or ""),
        default_include=str(opts.get("default_include") or ""),
    )


def _signers(value: Any, where: str) -> tuple[str, ...]:
    files = [value] if isinstance(value, str) else value
    if not isinstance(files, list) or not files or not all(isinstance(file, str) for file in files):
        raise ConfigError([f"{where}: verify needs 'signers', a file with the signers' public keys"])
    for file in files:
        if not os.path.isabs(file):
            raise ConfigError([f"{where}: verify: signers needs a full path, not {file!r}"])
    return tuple(files)


def _globs(value: Any, where: str) -> tuple[str, ...]:
    if value is None or isinstance(value, bool):
        return ("*",) if value else ()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ConfigError(
        [f"{where}: verify: allow_rollback must be true, false or a list of globs, not {value!r}"]
    )
