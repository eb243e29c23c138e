"""Settings of repositories served as files.

Names of environments, branches, folders and mount points depend on four layers of settings; the results
are plain values.
Shapes: an item of `gitfs_remotes` is a URL or {URL: [{option: value}, ...]}; the option `saltenv`, and
`gitfs_saltenv` for all repositories, are lists of {environment: [{`ref` | `root` | `mountpoint`: value}]}.
Errors: ConfigError for invalid settings.
Source: stock docs "Git Fileserver Backend Walkthrough".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import ConfigError
from salt_g.formats.urls import without_password
from salt_g.git.repository import is_commit_name
from salt_g.git.source import (
    ALL_REFS,
    Access,
    RemoteSource,
    checked_url,
    folder,
    join_options,
    number,
    read_options,
    texts,
)
from salt_g.git.verify_rules import VerifyRules, rules_of
from salt_g.regex.name_patterns import is_exposed
from salt_g.shapes import Opts

#: Settings `gitfs_<name>` that a remote can override.
_OPTIONS = (
    "base",
    "fallback",
    "mountpoint",
    "root",
    "ssl_verify",
    "saltenv_whitelist",
    "saltenv_blacklist",
    "refspecs",
    "disable_saltenv_mapping",
    "ref_types",
    "update_interval",
    "proxy",
    "depth",
    "user",
    "password",
    "privkey",
    "pubkey",
    "passphrase",
    "insecure_auth",
    "verify",
)
#: Options that can be set only for a remote.
_ONLY_REMOTE = ("name", "all_saltenvs", "saltenv")


class Remote(NamedTuple):
    """One repository: its URL, and the mapping of references to environments.

    `overlays` is {environment: {`ref`, `root`, `mountpoint`: value}}. Units: seconds.
    """

    source: RemoteSource
    base: str = "master"
    root: str = ""
    mountpoint: str = ""
    fallback: str = ""
    all_saltenvs: str = ""
    ref_types: tuple[str, ...] = ("branch", "tag", "sha")
    whitelist: tuple[str, ...] = ()
    blacklist: tuple[str, ...] = ()
    maps_refs: bool = True
    interval: float = 60
    overlays: Mapping[str, Mapping[str, str]] = {}

    def __str__(self) -> str:
        return str(self.source)

    def names_commits(self) -> bool:
        """Return whether the settings name a commit by its hash, which requires history."""
        refs = [self.base, self.all_saltenvs, self.fallback]
        refs += [overlay.get("ref", "") for overlay in self.overlays.values()]
        return any(map(is_commit_name, refs))

    def exposes(self, saltenv: str) -> bool:
        """Return whether the white and black lists permit an environment."""
        return is_exposed(saltenv, self.whitelist, self.blacklist)

    def ref_of(self, saltenv: str) -> str:
        """Return the branch, tag or commit of an environment, or '' if it has none."""
        if self.all_saltenvs:
            return self.all_saltenvs
        configured = self.overlays.get(saltenv, {}).get("ref", "")
        if configured or not self.maps_refs:
            return configured or (self.base if saltenv == "base" else "")
        return self.base if saltenv == "base" else saltenv

    def uses(self, ref: str) -> bool:
        """Return whether a branch or tag is served as an environment."""
        return ref in (self.all_saltenvs, self.fallback) or any(map(self.exposes, self.envs_of(ref)))

    def envs_of(self, ref: str) -> set[str]:
        """Return the environments of a branch or tag."""
        envs = {env for env, overlay in self.overlays.items() if overlay.get("ref") == ref}
        if ref == self.ref_of("base"):
            envs.add("base")
        return envs or ({ref} if self.maps_refs else set())

    def place(self, saltenv: str) -> tuple[str, str]:
        """Return (served folder of the repository, mount point), without surrounding slashes."""
        overlay = self.overlays.get(saltenv, {})
        return overlay.get("root", self.root), overlay.get("mountpoint", self.mountpoint)


def read_remotes(opts: Opts) -> list[Remote]:
    """Return the repositories in the setting `gitfs_remotes`, in order."""
    defaults = {name: opts[f"gitfs_{name}"] for name in _OPTIONS if f"gitfs_{name}" in opts}
    overlays = _overlays(opts.get("gitfs_saltenv"), "gitfs_saltenv")
    remotes = []
    for item in opts.get("gitfs_remotes") or []:
        url, options = next(iter(item.items()), ("", [])) if isinstance(item, Mapping) else (item, [])
        where = f"gitfs_remotes, {without_password(str(url))}"
        own = read_options(options, (*_OPTIONS, *_ONLY_REMOTE), where)
        rules = rules_of(own, opts, where, listed_in="gitfs_remotes", default="gitfs_verify")
        remotes.append(_remote(str(url), {**defaults, **own}, overlays, rules))
    return remotes


def _remote(
    url: str,
    options: Mapping[str, Any],
    overlays: Mapping[str, Mapping[str, str]],
    verify: VerifyRules | None,
) -> Remote:
    where = f"gitfs_remotes, {without_password(url)}"
    own = _overlays(options.get("saltenv"), where)
    remote = Remote(
        source=RemoteSource(
            url=checked_url(url, "gitfs_remotes"),
            name=str(options.get("name") or ""),
            refspecs=texts(options.get("refspecs")) or ALL_REFS,
            depth=int(number(options, "depth", 0, where)),
            access=Access.of(options),
            verify=verify,
        ),
        base=str(options.get("base") or "master"),
        root=folder(options.get("root"), where),
        mountpoint=folder(options.get("mountpoint"), where),
        fallback=str(options.get("fallback") or ""),
        all_saltenvs=str(options.get("all_saltenvs") or ""),
        ref_types=texts(options.get("ref_types")) or ("branch", "tag", "sha"),
        whitelist=texts(options.get("saltenv_whitelist")),
        blacklist=texts(options.get("saltenv_blacklist")),
        maps_refs=not options.get("disable_saltenv_mapping"),
        interval=number(options, "update_interval", 60, where),
        overlays={env: {**overlays.get(env, {}), **own.get(env, {})} for env in {**overlays, **own}},
    )
    needs_history = remote.names_commits() or (verify is not None and verify.needs_history())
    return remote._replace(source=remote.source._replace(depth=0)) if needs_history else remote


def _overlays(listed: Any, where: str) -> dict[str, dict[str, str]]:
    """Return {environment: {`ref`, `root`, `mountpoint`: value}} from a list of settings."""
    found: dict[str, dict[str, str]] = {}
    for item in listed or []:
        if not isinstance(item, Mapping):
            raise ConfigError(
                [f"{where}: settings of an environment must be written as 'name: [...]', not {item!r}"]
            )
        for env, options in item.items():
            known = join_options(options, where)
            for name in {"root", "mountpoint"} & known.keys():
                known[name] = folder(known[name], where)
            found[str(env)] = {name: str(value) for name, value in known.items()}
    return found
