"""Lists of the master's files, and hashes of files."""

from __future__ import annotations

from salt_g.api import services
from salt_g.resources.ssh import _files
from salt_g.resources.ssh.modules.cp._common import chosen, local_path


def hash_file(path: str, saltenv: str | None = None) -> dict[str, str]:
    """Return {'hsum': hex digest, 'hash_type': name} of a file of the master or on the host; {} if missing.

    Example::

        salt-g web-01 cp.hash_file salt://motd
    """
    here = local_path(path)
    if not here:
        return services().files.hash_file(path, chosen(saltenv, path))
    seen = _files.path_state(here, wanted=_files.HASH)
    return {"hsum": seen.hash, "hash_type": "sha256"} if seen.hash else {}


def list_master(saltenv: str | None = None, prefix: str = "") -> list[str]:
    """Return the paths of all files of the master.

    Example::

        salt-g web-01 cp.list_master
    """
    return services().files.list_files(chosen(saltenv), prefix)


def list_master_dirs(saltenv: str | None = None, prefix: str = "") -> list[str]:
    """Return the paths of all directories of the master.

    Example::

        salt-g web-01 cp.list_master_dirs
    """
    return services().files.list_dirs(chosen(saltenv), prefix)
