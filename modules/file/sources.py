"""The first half of managing a file: a local, rendered copy of a source (URL, path, or a list).

`manage_file.py` is the second half: it writes the content.

Shapes: `get_managed` returns (local path, {"hsum", "hash_type"}, error); the error is '' or the reason why
there is no source.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g import safe_files
from salt_g.api import advise, advise_missing, call, opts, scratch, services
from salt_g.data.text_diff import PROBE_SIZE, is_binary
from salt_g.errors import CommandExecutionError, FileServerError, InvocationError, RenderError
from salt_g.formats import salturl
from salt_g.formats.urls import is_remote, local_part, without_password
from salt_g.modules.file.hashes import get_hash
from salt_g.modules.file.source_sums import get_source_sum

#: Template engines of managed files.
ENGINES = ("jinja", "mako", "py")
#: Prefix of temporary files with rendered text.
_PREFIX = "__salt-g.tmp."
#: Maximum number of missing sources of a list to give advice about.
_MOST_ADVISED = 3

Sum = dict[str, str]


def source_list(source: Any, source_hash: Any, saltenv: str) -> tuple[Any, Any]:
    """Return the first existing source of a list, and its hash; a single source is not checked.

    An item is a URL, a path, or {URL: hash}. Raises CommandExecutionError when none exists.

    Example::

        salt-g file.source_list '[salt://a, salt://b]' '' base
    """
    if not isinstance(source, list):
        return source, source_hash
    remembered = scratch.get("file.source_list", {})
    key = repr((source, source_hash, saltenv))
    if key not in remembered:
        remembered = {**remembered, key: _first(source, source_hash, saltenv)}
        scratch["file.source_list"] = remembered
    chosen: tuple[Any, Any] = remembered[key]
    return chosen


def get_managed(
    name: str,
    template: str | None,
    source: str | None,
    source_hash: Any,
    source_hash_name: str | None,
    user: str | int | None,
    group: str | int | None,
    mode: str | int | None,
    attrs: str | None,
    saltenv: str,
    context: Mapping[str, Any] | None,
    defaults: Mapping[str, Any] | None,
    skip_verify: bool = False,
    verify_ssl: bool = True,
    use_etag: bool = False,
    source_hash_sig: Any = None,
    signed_by_any: Any = None,
    signed_by_all: Any = None,
    keyring: str | None = None,
    gnupghome: str | None = None,
    ignore_ordering: bool = False,
    ignore_whitespace: bool = False,
    ignore_comment_characters: Any = None,
    sig_backend: str = "gpg",
    **kwargs: Any,
) -> tuple[str, Sum, str]:
    """Return (local path, its hash, error) of a source; templates are rendered. With an error the call fails.

    Example::

        salt-g file.get_managed /etc/motd jinja salt://motd '' '' root root 644 '' base '' ''
    """
    if not source:
        return "", {}, ""
    origin = _Source(
        source, saltenv, source_hash, source_hash_name, skip_verify, verify_ssl, use_etag,
        signers={
            "source_hash_sig": source_hash_sig, "signed_by_any": signed_by_any,
            "signed_by_all": signed_by_all, "keyring": keyring, "gnupghome": gnupghome,
            "sig_backend": sig_backend,
        },
    )  # fmt: skip
    try:
        wanted = origin.wanted_sum(name)
        path = origin.fetched(wanted)
    except _UnusableSource as exc:
        # State runs set a code of their own at their end.
        scratch["retcode"] = 1
        return "", {}, str(exc)
    if path == name:
        raise InvocationError("Source file cannot be the same as destination")
    if not template:
        return path, wanted, ""
    if template not in ENGINES:
        return path, {}, f"Specified template format {template} is not supported"
    facts = {"name": name, "source": source, "user": user, "group": group, "mode": mode, "attrs": attrs}
    return _rendered(path, template, saltenv, {**facts, **kwargs, **(defaults or {}), **(context or {})})


def apply_template_on_contents(
    contents: str,
    template: str,
    context: Mapping[str, Any] | None,
    defaults: Mapping[str, Any] | None,
    saltenv: str,
) -> str | dict[str, Any]:
    """Return a text rendered as a template, or {"result": False, "comment"} for an unknown engine.

    `context` overrides `defaults`. Raises RenderError.

    Example::

        salt-g file.apply_template_on_contents 'This is {{ x }}.' jinja "{'x': 'it'}" '{}' base
    """
    if template not in ENGINES:
        return {"result": False, "comment": f"Specified template format {template} is not supported"}
    return render(contents, template, saltenv, {**(defaults or {}), **(context or {})})


def render(text: str, engine: str, saltenv: str, variables: Mapping[str, Any], path: str = "") -> str:
    """Return the rendered text of the template at `path`; raises RenderError."""
    return services().render.render_template(
        text, engine=engine, saltenv=saltenv, context=variables, path=path
    )


def discard(path: str) -> None:
    """Remove a rendered temporary file after use; keep any other file."""
    if path.startswith(os.path.join(tempfile.gettempdir(), _PREFIX)):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)


class _UnusableSource(Exception):
    """Unusable source; the text is the error."""


def _first(sources: list[Any], source_hash: Any, saltenv: str) -> tuple[Any, Any]:
    for item in sources:
        if isinstance(item, Mapping):
            if len(item) != 1:
                continue
            url, own_hash = next(iter(item.items()))
        else:
            url, own_hash = item, None
        if _exists(str(url), saltenv):
            return url, own_hash or source_hash
    for item in sources[:_MOST_ADVISED]:
        url = str(next(iter(item), "") if isinstance(item, Mapping) else item)
        if salturl.is_salt_url(url):
            advise_missing(url, saltenv)
    raise CommandExecutionError("none of the specified sources were found")


def _exists(url: str, saltenv: str) -> bool:
    if salturl.is_salt_url(url):
        parts = salturl.parse(url)
        files, env = services().files, parts.saltenv or saltenv
        return bool(files.hash_file(url, saltenv)) or parts.path.rstrip("/") in files.list_dirs(env)
    if is_remote(url):
        return "error" not in call("http.query", url, method="HEAD", decode_body=False)
    return os.path.isabs(local_part(url)) and os.path.exists(local_part(url))


class _Source(NamedTuple):
    """Location of content and its verification."""

    url: str
    saltenv: str
    source_hash: Any
    source_hash_name: str | None
    skip_verify: bool
    verify_ssl: bool
    use_etag: bool
    signers: dict[str, Any]

    def wanted_sum(self, name: str) -> Sum:
        """Return the hash that the content must have, or {} if none is given; raise _UnusableSource."""
        if salturl.is_salt_url(self.url):
            found = services().files.hash_file(self.url, self.saltenv)
            if not found:
                advise_missing(self.url, self.saltenv)
                raise _UnusableSource(f"Source file {self.url} not found in saltenv '{self.saltenv}'")
            return found
        if not is_remote(self.url):
            path = local_part(self.url)
            if not os.path.exists(path):
                raise _UnusableSource(f"Local file source {path} does not exist")
            if not self.source_hash:
                return services().files.hash_file(path, self.saltenv)
        if self.skip_verify:
            return {}
        if self.source_hash:
            return self._given_sum(name)
        if self.use_etag:
            return {}
        raise _UnusableSource(
            f"Unable to verify upstream hash of source file {without_password(self.url)}, please set "
            "source_hash or set skip_verify to True"
        )

    def fetched(self, wanted: Sum) -> str:
        """Return a local path, downloading unless a valid copy is cached; raise _UnusableSource."""
        remote = is_remote(self.url)
        if not remote and not salturl.is_salt_url(self.url):
            return _checked(local_part(self.url))
        files = services().files
        cached = files.is_cached(self.url, self.saltenv) if remote and not self.use_etag else ""
        if cached and (self.skip_verify or (self.source_hash and _has(cached, wanted))):
            return cached
        try:
            path = files.cache_file(
                self.url, self.saltenv, source_hash=wanted.get("hsum"), verify_ssl=self.verify_ssl,
                use_etag=self.use_etag,
            )  # fmt: skip
        except (CommandExecutionError, FileServerError, OSError) as exc:
            raise _UnusableSource(without_password(f"Failed to cache {self.url}: {exc}")) from exc
        if not path:
            raise _UnusableSource(f"Source file '{without_password(self.url)}' not found")
        return path

    def _given_sum(self, name: str) -> Sum:
        try:
            return get_source_sum(
                name, self.url, self.source_hash, self.source_hash_name, self.saltenv, self.verify_ssl,
                **self.signers,
            )  # fmt: skip
        except CommandExecutionError as exc:
            raise _UnusableSource(f"Unable to manage file: {exc}") from exc


def _checked(path: str) -> str:
    """Return a path; raise _UnusableSource if it leads through a link that root must not trust.

    The content may be written to a place where a user can read it.
    """
    try:
        safe_files.check(path)
    except safe_files.UntrustedPath as exc:
        raise _UnusableSource(str(exc)) from exc
    return path


def _has(path: str, wanted: Sum) -> bool:
    return bool(wanted) and get_hash(path, wanted["hash_type"]) == wanted["hsum"].lower()


def _rendered(path: str, template: str, saltenv: str, variables: Mapping[str, Any]) -> tuple[str, Sum, str]:
    """Return (path, hash, error) of a rendered copy; a binary file among the templates is copied as it is."""
    with open(path, "rb", opener=safe_files.opener) as file:
        content = file.read()
    if not is_binary(content[:PROBE_SIZE]):
        try:
            # Line ends become LF, as in SLS files.
            with io.TextIOWrapper(io.BytesIO(content), encoding="utf-8") as reader:
                text = reader.read()
            content = render(text, template, saltenv, variables, path).encode()
        except RenderError as exc:
            advise(_failure(exc, path, saltenv))
            return path, {}, str(exc)
    sum_of_content = {"hash_type": "sha256", "hsum": hashlib.sha256(content).hexdigest()}
    return _temporary_copy(content), sum_of_content, ""


def _failure(exc: RenderError, path: str, saltenv: str) -> str:
    """Return the file and line where a template, or one that it imports, failed, and what to do about it."""
    failed, line = exc.template or (exc.path or path, exc.line)
    top = os.path.join(str(opts["cachedir"]), "files", saltenv, "")
    name = f"salt://{failed.removeprefix(top)}" if failed.startswith(top) else failed
    place = f"{name}:{line}" if line else name
    return f"{place}: {exc.advice or 'the template failed here'}"


def _temporary_copy(content: bytes) -> str:
    """Write a private temporary file and return its path; `tempfile` would need three times as long."""
    path = os.path.join(tempfile.gettempdir(), f"{_PREFIX}{os.urandom(8).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(path, flags, 0o600), "wb", buffering=0) as file:
        written = 0
        while written < len(content):
            written += file.write(content[written:])
    return path
