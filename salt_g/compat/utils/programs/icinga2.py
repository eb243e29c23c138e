"""Stock's `salt.utils.icinga2`: where Icinga keeps certificates."""

import os


def get_certs_path() -> str:
    """Return the directory of certificates, which Icinga 2.8 moved, with a slash at its end."""
    current = "/var/lib/icinga2/certs/"
    return current if os.path.isdir("/var/lib/icinga2/certs") else "/etc/icinga2/pki/"


__all__ = ["get_certs_path"]
