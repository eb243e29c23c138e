"""Packing, listing and unpacking of archives (`archive`): tar, gzip, zip and rar.

Begin with `listing.py`, which knows all formats; the files for packing and unpacking
handle one family of formats each.
"""

from salt_g.modules.archive.listing import is_encrypted, list_
from salt_g.modules.archive.rarfiles import rar, unrar
from salt_g.modules.archive.tarballs import gunzip, gzip, tar
from salt_g.modules.archive.zipfiles import cmd_unzip, cmd_zip, unzip, zip_

__func_alias__ = {"list_": "list", "zip_": "zip"}
__all__ = [
    "cmd_unzip",
    "cmd_zip",
    "gunzip",
    "gzip",
    "is_encrypted",
    "list_",
    "rar",
    "tar",
    "unrar",
    "unzip",
    "zip_",
]
