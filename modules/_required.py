"""Early refusal of functions whose program is not installed.

The text of the error is stock's, and users search for it.
"""

from __future__ import annotations

from salt_g.api import call
from salt_g.errors import CommandNotFound

#: {program: its Debian package}.
PACKAGES = {
    "a2disconf": "apache2",
    "a2dismod": "apache2",
    "a2dissite": "apache2",
    "a2enconf": "apache2",
    "a2enmod": "apache2",
    "a2ensite": "apache2",
    "apache2ctl": "apache2",
    "at": "at",
    "createrepo": "createrepo-c",
    "crontab": "cron",
    "cryptsetup": "cryptsetup-bin",
    "dig": "bind9-dnsutils",
    "dmidecode": "dmidecode",
    "dmsetup": "dmsetup",
    "dumpe2fs": "e2fsprogs",
    "ethtool": "ethtool",
    "firewall-cmd": "firewalld",
    "gem": "ruby",
    "getfacl": "acl",
    "git": "git",
    "gpg": "gnupg",
    "halt": "systemd-sysv",
    "htpasswd": "apache2-utils",
    "incrontab": "incron",
    "init": "systemd-sysv",
    "ip6tables": "iptables",
    "ipset": "ipset",
    "iptables": "iptables",
    "locate": "plocate",
    "lsblk": "util-linux",
    "lvm": "lvm2",
    "mdadm": "mdadm",
    "mke2fs": "e2fsprogs",
    "mkfs.xfs": "xfsprogs",
    "nft": "nftables",
    "npm": "npm",
    "parted": "parted",
    "partprobe": "parted",
    "poweroff": "systemd-sysv",
    "restorecon": "policycoreutils",
    "rpm2cpio": "rpm",
    "rsync": "rsync",
    "semanage": "policycoreutils-python-utils",
    "semodule": "policycoreutils",
    "setfacl": "acl",
    "setquota": "quota",
    "setsebool": "policycoreutils",
    "sfdisk": "fdisk",
    "shutdown": "systemd-sysv",
    "ssh": "openssh-client",
    "tune2fs": "e2fsprogs",
    "udevadm": "udev",
    "updatedb": "plocate",
    "xfs_admin": "xfsprogs",
    "xfs_estimate": "xfsprogs",
    "xfs_fsr": "xfsprogs",
    "xfs_info": "xfsprogs",
    "xfsdump": "xfsdump",
    "xfsinvutil": "xfsdump",
    "xfsrestore": "xfsdump",
    "yumdownloader": "dnf-plugins-core",
}


def require(program: str) -> None:
    """Raise CommandNotFound unless `program` is in the path."""
    if not call("cmd.which", program):
        raise CommandNotFound(f"The '{program}' binary was not found in $PATH.{hint(program)}")


def hint(program: str) -> str:
    """Return a sentence that names the package of a program, or '' if unknown."""
    package = PACKAGES.get(program)
    return f" On Debian it is in the package {package!r}." if package else ""
