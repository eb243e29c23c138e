"""Key pair that `salt-g ssh` uses for hosts without a key in the roster.

The key is stock's: `ssh/salt-ssh.rsa` below `pki_dir`, created on first use, or with `ssh_use_home_key` the
key in the user's home.
"""

from __future__ import annotations

import logging
import os
import shutil

from salt_g.cli.ssh.host_settings import home_key
from salt_g.process.command import run
from salt_g.process.disk import make_private_directory
from salt_g.process.redaction import RedactedOutput
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Time limit of `ssh-keygen` (s).
_TIMEOUT = 120


def own_key(opts: Opts) -> str:
    """Return the path of the private key, which is created on first use, or '' if none can be used."""
    if opts.get("ssh_use_home_key"):
        return home_key() if os.path.isfile(home_key()) else ""
    if opts.get("ssh_priv"):
        return str(opts["ssh_priv"])
    directory = os.path.join(str(opts["pki_dir"]), "ssh")
    path = os.path.join(directory, "salt-ssh.rsa")
    if os.path.isfile(path):
        return path if os.access(path, os.R_OK) else ""
    try:
        make_private_directory(directory)
    except OSError as exc:
        log.info("cannot create a key for hosts: %s", exc)
        return ""
    return path if _created(path) else ""


def _created(path: str) -> bool:
    if shutil.which("ssh-keygen") is None:
        log.warning("cannot create a key for hosts: ssh-keygen is not installed (Debian: openssh-client)")
        return False
    done = run(["ssh-keygen", "-q", "-t", "rsa", "-b", "4096", "-N", "", "-f", path], timeout=_TIMEOUT)
    if done.retcode:
        said = done.err.strip() or done.out.strip()
        log.warning("cannot create the key %s: %s", path, RedactedOutput(said))
    return done.retcode == 0
