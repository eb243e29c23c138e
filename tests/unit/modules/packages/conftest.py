"""The `pkg` of one provider, with recorded programs in place of its package manager."""

import pytest

from salt_g.modules import config, pkg_resource


@pytest.fixture
def machine(programs, tmp_path, monkeypatch):
    """Return a function that makes a machine with one provider of `pkg`, and returns its programs."""

    def make(provider, *, lowpkg=None, test=False, functions=None, **grains):
        monkeypatch.setattr("salt_g.modules._systemd.is_booted", lambda: False)
        names = getattr(provider, "__all__", None) or [
            name
            for name, value in vars(provider).items()
            if getattr(value, "__module__", "") == provider.__name__
        ]
        table = {
            "config.valid_fileproto": config.valid_fileproto,
            **{f"pkg.{name}": getattr(provider, name) for name in names if name[0] != "_"},
            **{
                f"pkg_resource.{name}": getattr(pkg_resource, name)
                for name in ("parse_targets", "version", "pack_sources", "version_compare", "format_pkg_list")
            },
            **(functions or {}),
        }
        if lowpkg:
            table.update({f"lowpkg.{name}": getattr(lowpkg, name) for name in lowpkg.__all__})
        return programs(functions=table, grains=grains, opts={"cachedir": str(tmp_path), "test": test})

    return make
