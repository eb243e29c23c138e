"""Read what the settings say about repositories whose files are served.

Why its own file: names of environments, branches, folders and mount points depend on four layers of
settings; what results are plain values.
Shapes: `gitfs_remotes` is a list of URLs, or {URL: [{option: value}, ...]}; `saltenv` in there, and
`gitfs_saltenv` for all, are lists of {environment: [{`ref` | `root` | `mountpoint`: value}]}.
Errors: ConfigError for what cannot be read.
Source: stock docs "Git Fileserver Backend Walkthrough".
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from salt_g.errors import ConfigError
from salt_g.files.names import is_exposed
from salt_g.formats import salturl
from salt_g.formats.urls import without_password
from salt_g.shapes import Opts

#: Settings `gitfs_<name>` that a remote may have for itself.
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
)
#: Options that only a remote can have.
_ONLY_REMOTE = ("name", "all_saltenvs", "saltenv")
_REFSPECS = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")


class Access(NamedTuple):
    """How a server lets us in."""

    user: str = ""
    password: str = ""
    privkey: str = ""
    passphrase: str = ""
    insecure_auth: bool = False
    ssl_verify: bool = True
    proxy: str = ""


class Remote(NamedTuple):
    """One repository: where it is, and how its references become environments.

    `overlays` is {environment: {`ref`, `root`, `mountpoint`: value}}. Units: seconds, commits.
    """

    url: str
    name: str = ""
    base: str = "master"
    root: str = ""
    mountpoint: str = ""
    fallback: str = ""
    all_saltenvs: str = ""
    ref_types: tuple[str, ...] = ("branch", "tag", "sha")
    refspecs: tuple[str, ...] = _REFSPECS
    whitelist: tuple[str, ...] = ()
    blacklist: tuple[str, ...] = ()
    maps_refs: bool = True
    interval: float = 60
    depth: int = 0
    access: Access = Access()
    overlays: Mapping[str, Mapping[str, str]] = {}

    def __str__(self) -> str:
        return self.name or without_password(self.url)

    def exposes(self, saltenv: str) -> bool:
        """Return whether the white and black lists let an environment through."""
        return is_exposed(saltenv, self.whitelist, self.blacklist)

    def ref_of(self, saltenv: str) -> str:
        """Return the branch, tag or commit of an environment, '' when it has none here."""
        if self.all_saltenvs:
            return self.all_saltenvs
        configured = self.overlays.get(saltenv, {}).get("ref", "")
        if configured or not self.maps_refs:
            return configured or (self.base if saltenv == "base" else "")
        return self.base if saltenv == "base" else saltenv

    def envs_of(self, ref: str) -> set[str]:
        """Return the environments that a branch or tag is."""
        envs = {env for env, overlay in self.overlays.items() if overlay.get("ref") == ref}
        if ref == self.ref_of("base"):
            envs.add("base")
        return envs or ({ref} if self.maps_refs else set())

    def place(self, saltenv: str) -> tuple[str, str]:
        """Return (folder of the repository that is served, mount point), without slashes around."""
        overlay = self.overlays.get(saltenv, {})
        return overlay.get("root", self.root), overlay.get("mountpoint", self.mountpoint)


def read_remotes(opts: Opts) -> list[Remote]:
    """Return the repositories of the setting `gitfs_remotes`, in order."""
    defaults = {name: opts[f"gitfs_{name}"] for name in _OPTIONS if f"gitfs_{name}" in opts}
    overlays = _overlays(opts.get("gitfs_saltenv"), "gitfs_saltenv")
    remotes = []
    for item in opts.get("gitfs_remotes") or []:
        url, options = next(iter(item.items())) if isinstance(item, Mapping) else (item, [])
        remotes.append(_remote(str(url), {**defaults, **_options(options, str(url))}, overlays))
    return remotes


def _remote(url: str, options: Mapping[str, Any], overlays: Mapping[str, Mapping[str, str]]) -> Remote:
    where = f"gitfs_remotes, {without_password(url)}"
    if not url or url.startswith("-"):
        raise ConfigError([f"{where}: this is no URL of a repository"])
    own = _overlays(options.get("saltenv"), where)
    return Remote(
        url=url,
        name=str(options.get("name") or ""),
        base=str(options.get("base") or "master"),
        root=_folder(options.get("root"), where),
        mountpoint=_folder(options.get("mountpoint"), where),
        fallback=str(options.get("fallback") or ""),
        all_saltenvs=str(options.get("all_saltenvs") or ""),
        ref_types=_texts(options.get("ref_types")) or ("branch", "tag", "sha"),
        refspecs=_texts(options.get("refspecs")) or _REFSPECS,
        whitelist=_texts(options.get("saltenv_whitelist")),
        blacklist=_texts(options.get("saltenv_blacklist")),
        maps_refs=not options.get("disable_saltenv_mapping"),
        interval=float(options.get("update_interval") or 60),
        depth=int(options.get("depth") or 0),
        access=_access(options),
        overlays={env: {**overlays.get(env, {}), **own.get(env, {})} for env in {**overlays, **own}},
    )


def _access(options: Mapping[str, Any]) -> Access:
    return Access(
        user=str(options.get("user") or ""),
        password=str(options.get("password") or ""),
        privkey=str(options.get("privkey") or ""),
        passphrase=str(options.get("passphrase") or ""),
        insecure_auth=bool(options.get("insecure_auth")),
        ssl_verify=bool(options.get("ssl_verify", True)),
        proxy=str(options.get("proxy") or ""),
    )


def _overlays(listed: Any, where: str) -> dict[str, dict[str, str]]:
    """Return {environment: {`ref`, `root`, `mountpoint`: value}} of a list of settings."""
    found: dict[str, dict[str, str]] = {}
    for item in listed or []:
        if not isinstance(item, Mapping):
            raise ConfigError(
                [f"{where}: settings of an environment are written as 'name: [...]', not {item!r}"]
            )
        for env, options in item.items():
            known = {**_joined(options)}
            for name in {"root", "mountpoint"} & known.keys():
                known[name] = _folder(known[name], where)
            found[str(env)] = {name: str(value) for name, value in known.items()}
    return found


def _options(options: Any, url: str) -> dict[str, Any]:
    joined = _joined(options)
    unknown = sorted(set(joined) - set(_OPTIONS) - set(_ONLY_REMOTE))
    if unknown:
        raise ConfigError([f"gitfs_remotes, {without_password(url)}: unknown options {', '.join(unknown)}"])
    return joined


def _joined(options: Any) -> dict[str, Any]:
    joined: dict[str, Any] = {}
    for option in options if isinstance(options, list) else [options or {}]:
        joined.update(option)
    return joined


def _folder(value: Any, where: str) -> str:
    folder = str(value or "").removeprefix(salturl.PREFIX).strip("/")
    if os.pardir in folder.split("/"):
        raise ConfigError([f"{where}: folder {folder!r} leaves the repository"])
    return folder


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    items: Iterable[Any] = value or ()
    return tuple(str(item) for item in items)
