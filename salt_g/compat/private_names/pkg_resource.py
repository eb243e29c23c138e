"""Stock's `salt.modules.pkg_resource`: its functions, and how lists of packages are read."""

import importlib

_pkg_resource = importlib.import_module("salt_g.modules.pkg_resource")
globals().update({name: value for name, value in vars(_pkg_resource).items() if not name.startswith("_")})
_repack_pkgs = _pkg_resource._repack
