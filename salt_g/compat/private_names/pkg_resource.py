"""Stock's `salt.modules.pkg_resource`: its functions, including those that parse package lists."""

import importlib

_pkg_resource = importlib.import_module("salt_g.modules.pkg_resource")
globals().update({name: value for name, value in vars(_pkg_resource).items() if not name.startswith("_")})
_repack_pkgs = _pkg_resource._repack
