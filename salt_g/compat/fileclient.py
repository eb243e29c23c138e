"""Stock's `salt.fileclient`: files of the file server, through the services of the running call."""

from collections.abc import Mapping
from typing import Any

from salt_g import api


class RequestClient:
    """Client of the file server, with stock's method names."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self.opts = opts

    def __enter__(self) -> "RequestClient":
        return self

    def __exit__(self, *error: object) -> None:
        self.destroy()

    def destroy(self) -> None:
        """Do nothing: the call owns its connections."""

    def cache_file(self, path: str, saltenv: str = "base", **stock: Any) -> str:
        """Return the local path of a file, fetched if it changed; '' if it does not exist."""
        return api.services().files.cache_file(path, saltenv)

    def file_list(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of the files of an environment that begin with `prefix`."""
        return api.services().files.list_files(saltenv, prefix)

    def dir_list(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of the directories of an environment that begin with `prefix`."""
        return api.services().files.list_dirs(saltenv, prefix)

    def hash_file(self, path: str, saltenv: str = "base") -> dict[str, str]:
        """Return {hsum, hash_type} of a file, or {} if it does not exist."""
        return api.services().files.hash_file(path, saltenv)

    def is_cached(self, path: str, saltenv: str = "base", cachedir: str | None = None) -> str:
        """Return the local path of a file that was fetched before, or '' if it was not."""
        return api.services().files.is_cached(path, saltenv)

    def envs(self) -> list[str]:
        """Return the names of the environments."""
        return api.services().files.envs()

    def get_file(
        self, path: str, dest: str = "", makedirs: bool = False, saltenv: str = "base", **stock: Any
    ) -> Any:
        """Fetch a file to `dest` and return the path written; '' or False if that fails."""
        return api.call("cp.get_file", path, dest, saltenv=saltenv, makedirs=makedirs)

    def get_url(
        self, url: str, dest: str, makedirs: bool = False, saltenv: str = "base", **stock: Any
    ) -> Any:
        """Fetch a URL to `dest` and return the path written, or False if it cannot be fetched."""
        return api.call("cp.get_url", url, dest, saltenv=saltenv, makedirs=makedirs)


def get_file_client(opts: Mapping[str, Any], pillar: bool = False) -> RequestClient:
    """Return a client of the file server."""
    return RequestClient(opts)


FSClient = LocalClient = RemoteClient = RequestClient

__all__ = ["FSClient", "LocalClient", "RemoteClient", "RequestClient", "get_file_client"]
