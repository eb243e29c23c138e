"""File client, which fetches files by URL into the cache or to a destination.

States, templates and `cp` use it; the source of the files (local roots, a master) is behind
`protocols.FileSource`.
Shapes: URLs are `salt://path?saltenv=env`, `http(s)://…`, `file://…` or absolute paths. The cache is
stock's: `files/<env>/<path>`, `extrn_files/<env>/<host>/<path>`, `localfiles/<path>`.
Errors: '' is returned for a missing `salt://` file; FileServerError is raised for a failed download,
CommandExecutionError for an invalid URL.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from salt_g import api, safe_files
from salt_g.errors import CommandExecutionError
from salt_g.files.atomic_write import mode_for, placed
from salt_g.files.hashes import HashCache
from salt_g.files.local import LocalServer, LocalSource
from salt_g.files.roots import Roots, RootsRules
from salt_g.formats import salturl
from salt_g.formats.urls import without_password
from salt_g.net.web_proxy import WebProxy
from salt_g.process.disk import make_private_directory

if TYPE_CHECKING:
    from salt_g.files.protocols import FileSource, Listed
    from salt_g.files.used_files import UsedFiles

log = logging.getLogger(__name__)

#: Maximum length of a file name in the cache (characters).
MAX_NAME = 200
#: Maximum number of pillar file paths remembered per compilation.
_MOST_FOUND = 1000


class FileClient:
    """Client for files by URL, from a file server or the network; implements `services.plugins.FileAccess`.

    Variants: `remote.RemoteClient` with a master, `LocalFileClient` without one, `PillarClient` for pillar.
    """

    def __init__(
        self, server: FileSource, cachedir: str, *, hash_type: str = "sha256", web: WebProxy | None = None
    ) -> None:
        self._server = server
        self._web = web or WebProxy()
        self._cachedir = cachedir
        self._hash_type = hash_type
        self._hashes = HashCache()
        self._noting: UsedFiles | None = None

    @contextlib.contextmanager
    def noting_use(self, expected: Mapping[str, str] | None = None) -> Iterator[Mapping[str, str]]:
        """Yield {URL: digest} of the `salt://` files used in the block, filled as they are used.

        With `expected`, a file that is not in it or has other content raises FileServerError.
        """
        from salt_g.files.used_files import UsedFiles  # Imported lazily: only plans need it.

        outer, noting = (self._server, self._noting), UsedFiles(self._server, expected)
        self._server = self._noting = noting
        try:
            yield noting.used
        finally:
            self._server, self._noting = outer

    # Queries

    def envs(self) -> list[str]:
        """Return the file environments, sorted."""
        return self._server.envs()

    def list_files(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of all files of an environment, relative, sorted."""
        return _with_prefix(self._listing(saltenv, prefix).files, prefix)

    def list_dirs(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of all directories of an environment, relative, sorted."""
        return _with_prefix(self._listing(saltenv, prefix).directories, prefix)

    def list_empty_dirs(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the empty directories of an environment."""
        return _with_prefix(self._listing(saltenv, prefix).empty_directories, prefix)

    def list_symlinks(self, saltenv: str = "base", prefix: str = "") -> dict[str, str]:
        """Return {path: link target} of an environment."""
        links = self._listing(saltenv, prefix).links
        found = {path: links[path] for path in _with_prefix(sorted(links), prefix)}
        if self._noting is not None:
            self._noting.note_links(found, saltenv)
        return found

    def list_states(self, saltenv: str = "base") -> list[str]:
        """Return the dotted names of all SLS files of an environment, sorted."""
        return sls_names(self._listing(saltenv, "").files)

    def hash_file(self, url: str, saltenv: str = "base") -> dict[str, str]:
        """Return {'hsum': hex digest, 'hash_type': name}, or {} when the file does not exist."""
        if salturl.is_salt_url(url):
            parts = salturl.parse(url)
            found = self._server.hash_file(parts.path, parts.saltenv or saltenv)
            api.note_file(parts.path, parts.saltenv or saltenv, digest=found.get("hsum", ""))
            return found
        if not os.path.isfile(url):
            return {}
        return {"hsum": self._hashes.hash_of(url, self._hash_type), "hash_type": self._hash_type}

    def stat_file(self, url: str, saltenv: str = "base") -> os.stat_result | None:
        """Return the status of a file, or None when it does not exist."""
        if salturl.is_salt_url(url):
            parts = salturl.parse(url)
            api.note_file(parts.path, parts.saltenv or saltenv)
            return self._server.stat_file(parts.path, parts.saltenv or saltenv)
        return os.stat(url) if os.path.isfile(url) else None

    def _listing(self, saltenv: str, prefix: str) -> Listed:
        if api.is_running() and api.current().in_template:
            api.note_file(prefix.strip("/").rpartition("/")[0], saltenv)
        return self._server.listing(saltenv)

    # Cache

    def announced(self, urls: Iterable[str], saltenv: str = "base") -> AbstractContextManager[None]:
        """Expect files to be used in this order during the block; local files need no preparation."""
        return contextlib.nullcontext()

    def cache_file(
        self,
        url: str,
        saltenv: str = "base",
        *,
        source_hash: str | None = None,
        verify_ssl: bool = True,
        use_etag: bool = False,
    ) -> str:
        """Return the local path of a cached copy, or '' when a `salt://` file does not exist.

        A local file is used in place; for root, an untrusted link to it raises UntrustedPath. A download is
        skipped when the cached file has `source_hash`, or when the server reports it as unchanged
        (`use_etag`).
        """
        if salturl.is_salt_url(url):
            parts = salturl.parse(url)
            dest = self._salt_cache(parts.path, parts.saltenv or saltenv)
            api.note_file(parts.path, parts.saltenv or saltenv, dest)
            if dest and self._server.refresh(parts.path, parts.saltenv or saltenv, dest):
                log.debug("file %s (%s): %s", url, saltenv, dest)
                return dest
            log.debug("file %s (%s): not found", url, saltenv)
            return ""
        here = local_path(url)
        if here:
            # The caller may copy the file to where a user can read it, so a link of that user must not be
            # followed.
            safe_files.check(here)
            log.debug("file %s: read in place", here)
            return here
        dest = self.cache_dest(url, saltenv)
        make_private_directory(os.path.dirname(dest))
        self._download(
            url, dest, mode=0o600, source_hash=source_hash, verify_ssl=verify_ssl, use_etag=use_etag
        )
        return dest

    def cache_sls(self, sls: str, saltenv: str = "base") -> tuple[str, str]:
        """Return (URL, cached path) of the file of an SLS name, or ('', '') when it does not exist."""
        path = sls.replace(".", "/")
        for candidate in (f"{path}.sls", f"{path}/init.sls"):
            url = salturl.create(candidate)
            cached = self.cache_file(url, saltenv)
            if cached:
                return url, cached
        return "", ""

    def cache_local_file(self, path: str) -> str:
        """Copy a local file into the cache and return the copy's path."""
        dest = os.path.join(self._cachedir, "localfiles", path.lstrip("/"))
        make_private_directory(os.path.dirname(dest))
        safe_files.copy_file(path, dest)
        return dest

    def cache_dest(self, url: str, saltenv: str = "base") -> str:
        """Return the path of the cached copy of a URL, whether or not it exists; return a path unchanged."""
        if salturl.is_salt_url(url):
            parts = salturl.parse(url)
            return self._salt_cache(parts.path, parts.saltenv or saltenv)
        return url if "://" not in url else _extern_path(self._cachedir, url, saltenv)

    def is_cached(self, url: str, saltenv: str = "base") -> str:
        """Return the path of the cached copy of a URL, or '' when it is not cached."""
        parts = salturl.parse(url) if salturl.is_salt_url(url) else salturl.SaltUrl(url.lstrip("/"))
        candidates = [
            self._salt_cache(parts.path, parts.saltenv or saltenv),
            os.path.join(self._cachedir, "localfiles", parts.path),
        ]
        if "://" in url and not salturl.is_salt_url(url):
            candidates = [_extern_path(self._cachedir, url, saltenv)]
        return next(filter(os.path.exists, candidates), "")

    def cached_files(self, saltenv: str = "base") -> list[str]:
        """Return the paths of all cached files of an environment and of all cached local files, sorted."""
        tops = (os.path.join(self._cachedir, "files", saltenv), os.path.join(self._cachedir, "localfiles"))
        return sorted(
            os.path.join(parent, name) for top in tops for parent, _, files in os.walk(top) for name in files
        )

    # Destinations chosen by the user

    def get_file(
        self,
        url: str,
        dest: str,
        *,
        makedirs: bool = False,
        saltenv: str = "base",
        gzip: int | None = None,
    ) -> str:
        """Copy a `salt://` file to `dest` ('': the cache); return the path of the copy.

        Returns '' when the file, or without `makedirs` the directory of `dest`, does not exist. A directory
        as `dest` receives the file under its own name; a copy with the same content is not written again.
        """
        if not dest:
            return self.cache_file(url, saltenv)
        parts = salturl.parse(url)
        saltenv = parts.saltenv or saltenv
        wanted = self._server.hash_file(parts.path, saltenv)
        api.note_file(parts.path, saltenv, digest=wanted.get("hsum", ""))
        if not wanted:
            return ""
        dest = _inside(dest, os.path.basename(parts.path))
        if os.path.isfile(dest) and self._hashes.hash_of(dest, wanted["hash_type"]) == wanted["hsum"]:
            return dest
        if not _has_parent(dest, makedirs):
            return ""
        with placed(dest, mode=mode_for(dest)) as file:
            self._server.write(parts.path, saltenv, file, gzip=gzip)
        log.debug("file %s (%s): written to %s", url, saltenv, dest)
        return dest

    def get_url(
        self,
        url: str,
        dest: str,
        *,
        makedirs: bool = False,
        saltenv: str = "base",
        source_hash: str | None = None,
        verify_ssl: bool = True,
    ) -> str:
        """Fetch `url` to `dest` ('': the cache); return the path of the copy.

        Returns '' when a `salt://` file, or without `makedirs` the directory of `dest`, does not exist. A
        local file is not copied; the path of the file itself is returned.
        """
        if salturl.is_salt_url(url):
            return self.get_file(url, dest, makedirs=makedirs, saltenv=saltenv)
        if not dest or local_path(url):
            return self.cache_file(url, saltenv, source_hash=source_hash, verify_ssl=verify_ssl)
        dest = _inside(dest, url.rsplit("/", 1)[1] or "index.html")
        if not _has_parent(dest, makedirs):
            return ""
        self._download(url, dest, mode=mode_for(dest), source_hash=source_hash, verify_ssl=verify_ssl)
        return dest

    def _download(
        self,
        url: str,
        dest: str,
        *,
        mode: int,
        source_hash: str | None,
        verify_ssl: bool,
        use_etag: bool = False,
    ) -> None:
        if not url.lower().startswith(("http://", "https://")):
            raise CommandExecutionError(
                f"URL scheme of {url!r} is not supported; use salt, http, https or file"
            )
        from salt_g.files import download  # Imported lazily: urllib and ssl take 40 ms.

        if not download.has_hash(dest, source_hash):
            download.download(url, dest, mode=mode, verify_ssl=verify_ssl, use_etag=use_etag, web=self._web)

    def _salt_cache(self, path: str, saltenv: str) -> str:
        """Return the cache path of a `salt://` file, or '' when it would leave its environment."""
        relative = os.path.normpath(path)
        for part in (relative, saltenv):
            if os.path.isabs(part) or os.pardir in part.split(os.sep):
                log.error("path %r of saltenv %r leaves its file environment", path, saltenv)
                return ""
        return os.path.join(self._cachedir, "files", saltenv, relative)


class LocalFileClient(FileClient):
    """File client of a masterless machine with local `file_roots`."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        hash_type = str(opts.get("hash_type") or "sha256")
        server = LocalServer(_local_source(opts), hash_type=hash_type)
        super().__init__(server, str(opts["cachedir"]), hash_type=hash_type, web=WebProxy.of(opts))


class PillarClient(FileClient):
    """File client of `pillar_roots` that makes no cached copies, because pillar is secret."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self._roots = local_roots(opts, "pillar_roots")
        self._found: dict[tuple[str, str], str] = {}
        super().__init__(LocalServer(self._roots), str(opts["cachedir"]), web=WebProxy.of(opts))

    def cache_file(self, url: str, saltenv: str = "base", **options: Any) -> str:
        """Return the path of the file itself, or '' when it does not exist."""
        if not salturl.is_salt_url(url):
            return super().cache_file(url, saltenv, **options)
        # Each compilation has its own client, and pillar files import the same files again and again.
        if path := self._found.get((url, saltenv)):
            return path
        parts = salturl.parse(url)
        found = self._roots.find(parts.path, parts.saltenv or saltenv)
        log.debug("pillar file %s (%s): %s", url, saltenv, found.path if found else "not found")
        if found is None:
            return ""
        if len(self._found) < _MOST_FOUND:
            self._found[url, saltenv] = found.path
        return found.path

    def forget(self) -> None:
        """Discard cached look-ups, after files were added, replaced or removed."""
        self._found.clear()
        self._roots.forget_listings()


def local_roots(opts: Mapping[str, Any], setting: str) -> Roots:
    """Return the roots of a setting, `file_roots` or `pillar_roots`."""
    age = opts.get("fileserver_list_cache_time")
    return Roots(
        opts.get(setting) or {}, RootsRules.from_opts(opts), list_age=20.0 if age is None else float(age)
    )


def _local_source(opts: Mapping[str, Any]) -> LocalSource:
    """Return the local file source of a masterless machine, as set by `fileserver_backend`."""
    if (opts.get("fileserver_backend") or ["roots"]) == ["roots"]:
        return local_roots(opts, "file_roots")
    from salt_g.files import backend_chain  # Imported lazily: few machines have other backends.

    source = backend_chain.from_opts(opts, RootsRules.from_opts(opts))
    for backend in source.updating():
        backend.update_when_old()
    return source


def local_path(url: str) -> str:
    """Return the local path that a `file://` URL or a plain path names, or '' for other URLs.

    Raises CommandExecutionError for a relative path.
    """
    scheme, found, rest = url.partition("://")
    if found and scheme != "file":
        return ""
    path = rest if found else url.removeprefix("file:")
    if not os.path.isabs(path):
        raise CommandExecutionError(f"Path '{path}' is not absolute")
    return path


def sls_names(files: Iterable[str]) -> list[str]:
    """Return the dotted names of the SLS files among `files`, sorted."""
    names = set()
    for path in files:
        if path.endswith("/init.sls"):
            names.add(path.removesuffix("/init.sls").replace("/", "."))
        elif path.endswith(".sls"):
            names.add(path.removesuffix(".sls").replace("/", "."))
    return sorted(names)


def _with_prefix(paths: Iterable[str], prefix: str) -> list[str]:
    prefix = prefix.strip("/")
    return [path for path in paths if path.startswith(prefix)]


def _inside(dest: str, name: str) -> str:
    return os.path.join(dest, name) if dest.endswith("/") or os.path.isdir(dest) else dest


def _has_parent(dest: str, makedirs: bool) -> bool:
    parent = os.path.dirname(dest) or "."
    if makedirs:
        safe_files.make_directories(parent)
    return os.path.isdir(parent)


def _extern_path(cachedir: str, url: str, saltenv: str) -> str:
    """Return the cache path of a download; raises CommandExecutionError if it would leave the cache."""
    import hashlib  # Imported lazily, like urllib: only downloads need them.
    import urllib.parse

    parts = urllib.parse.urlsplit(url)
    host = parts.netloc.rpartition("@")[2].replace(":", "")
    name = f"{parts.path}-{parts.query}" if parts.query else parts.path
    top = os.path.join(cachedir, "extrn_files", saltenv, host)
    if not os.path.normpath(top + os.sep + name).startswith(os.path.normpath(top) + os.sep):
        raise CommandExecutionError(f"URL {without_password(url)!r} has no file name that could be cached")
    if len(name) > MAX_NAME:
        name = hashlib.sha256(name.encode()).hexdigest()
    return os.path.join(top, name.lstrip("/"))
