"""What the parts of salt-g offer to plugins, as protocols.

Why its own file: a room must not import `state/`, `files/` or `render/` (floors), yet
`state.apply`, `cp.cache_file` and `file.managed` need them. The program that puts a call
together (`minion/context.py`) hands the real objects to the call context; plugins reach
them as `api.services().files` and so on, and know only these shapes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from salt_g.shapes import HighData, LowChunk, Running, TopMatches


class FileAccess(Protocol):
    """Files by URL (`salt://`, `file://`, `http(s)://`, absolute path), see `files/client.py`.

    '' stands for "there is no such file"; a download that fails raises FileServerError, a URL
    that cannot be read at all CommandExecutionError.
    """

    def envs(self) -> list[str]:
        """Return the file environments."""

    def list_files(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of all files of an environment, relative, sorted."""

    def list_dirs(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of all directories of an environment, relative, sorted."""

    def list_empty_dirs(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the directories that hold nothing."""

    def list_symlinks(self, saltenv: str = "base", prefix: str = "") -> dict[str, str]:
        """Return {path: link target} of an environment."""

    def list_states(self, saltenv: str = "base") -> list[str]:
        """Return the dotted names of all SLS files of an environment, sorted."""

    def hash_file(self, url: str, saltenv: str = "base") -> dict[str, str]:
        """Return {'hsum': hex digest, 'hash_type': name}, {} when there is no such file."""

    def stat_file(self, url: str, saltenv: str = "base") -> os.stat_result | None:
        """Return the status of a file (for `mode: keep`), None when there is no such file."""

    def cache_file(
        self,
        url: str,
        saltenv: str = "base",
        *,
        source_hash: str | None = None,
        verify_ssl: bool = True,
        use_etag: bool = False,
    ) -> str:
        """Return the local path of a cached copy, '' when there is no such file."""

    def cache_sls(self, sls: str, saltenv: str = "base") -> tuple[str, str]:
        """Return (URL, cached path) of the file of an SLS name, ('', '') when there is none."""

    def cache_local_file(self, path: str) -> str:
        """Copy a file of this machine into the cache and return the copy's path."""

    def cache_dest(self, url: str, saltenv: str = "base") -> str:
        """Return where the cached copy of a URL is, or would be."""

    def is_cached(self, url: str, saltenv: str = "base") -> str:
        """Return the path of the cached copy of a URL, '' when there is none."""

    def cached_files(self, saltenv: str = "base") -> list[str]:
        """Return the paths of everything cached for an environment, sorted."""

    def get_file(self, url: str, dest: str, *, makedirs: bool = False, saltenv: str = "base") -> str:
        """Copy a `salt://` file to `dest`; return the path written, '' when nothing could be."""

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
        """Fetch `url` to `dest` ('': the cache); return the path, '' when there is no such file."""


class Rendering(Protocol):
    """Text to data and templates to text, see `render/`."""

    def render_sls(self, path: str, *, sls: str, saltenv: str, tmplpath: str, **context: Any) -> Any:
        """Render the SLS file at `path` through its pipe of renderers to data."""

    def render_text(
        self, text: str, *, pipe: str, saltenv: str = "base", sls: str = "", **context: Any
    ) -> Any:
        """Render `text` through `pipe` (as in `jinja|yaml`)."""

    def render_template(self, text: str, *, engine: str, saltenv: str = "base", **context: Any) -> str:
        """Render a managed file's text with a template engine (`jinja`, `py`); raises RenderError."""


class StateEngine(Protocol):
    """SLS trees to results, see `state/engine.py`."""

    def apply_sls(self, names: Sequence[str], **options: Any) -> Running | list[str]:
        """Run these SLS; a list is the compile errors."""

    def apply_highstate(self, **options: Any) -> Running | list[str]:
        """Run what the top file gives to this minion."""

    def apply_high(self, high: HighData, **options: Any) -> Running | list[str]:
        """Run high data."""

    def apply_low(self, low: LowChunk, **options: Any) -> Any:
        """Run one low chunk."""

    def top_matches(self, **options: Any) -> TopMatches:
        """Return which SLS the top file gives to this minion, by environment."""


class PillarCompiler(Protocol):
    """Pillar for this minion, see `pillar/`."""

    def compile(
        self,
        *,
        saltenv: str | None = None,
        pillarenv: str | None = None,
        override: Mapping[str, Any] | None = None,
        ext: Mapping[str, Any] | None = None,
        roots: Mapping[str, Sequence[str]] | None = None,
    ) -> dict[str, Any]:
        """Return pillar compiled anew; problems stand under `_errors`.

        `override` is merged last (`pillar=` of a call); `ext` is one more external pillar;
        `roots` are compiled alone, without external pillars.
        """


class Matching(Protocol):
    """Is this minion meant? See `match/`."""

    def matches(
        self, tgt: Any, tgt_type: str = "glob", *, minion_id: str | None = None, delimiter: str = ":"
    ) -> bool:
        """Return whether this minion (or `minion_id`) is meant by the target; raises TargetError."""


class Plugins(Protocol):
    """Tables of plugin functions by kind, see `loader/`."""

    def table(self, kind: str) -> Mapping[str, Callable[..., Any]]:
        """Return the functions of a kind (`modules`, `states`, `grains`, `outputters`, ...) by name."""

    def reload(self, kinds: Sequence[str] = ()) -> None:
        """Forget loaded user plugins of these kinds (all when empty), so that they are read again."""


class Services:
    """The services of one call, each built when first asked for.

    Built from factories so that `test.ping` pays for none of them.
    """

    plugins: Plugins
    files: FileAccess
    render: Rendering
    states: StateEngine
    pillars: PillarCompiler
    match: Matching

    def __init__(self, **factories: Callable[[], Any]) -> None:
        self._factories = factories

    def __getattr__(self, name: str) -> Any:
        try:
            factory = self._factories[name]
        except KeyError:
            raise AttributeError(f"this call has no service {name!r}") from None
        service = factory()
        setattr(self, name, service)
        return service
