"""Stock's `salt.utils.icinga2`: the directory of Icinga's certificates."""

import os


def get_certs_path() -> str:
    """Return the directory of certificates, which moved in Icinga 2.8, with a trailing slash."""
    current = "/var/lib/icinga2/certs/"
    return current if os.path.isdir("/var/lib/icinga2/certs") else "/etc/icinga2/pki/"


__all__ = ["get_certs_path"]
