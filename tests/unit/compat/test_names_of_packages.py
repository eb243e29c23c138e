"""`salt.utils.pkg.rpm` and private names of other modules have stock 3008's results, recorded here."""

import importlib

import pytest

from salt_g.compat.utils.calls.pkg import rpm
from salt_g.compat.utils.host import systemd
from salt_g.loader import import_shim


@pytest.mark.parametrize(
    ("fields", "osarch", "found"),
    [
        (
            ("bash", "(none)", "5.1", "3.el9", "x86_64", "(none)", "1700000000"),
            "x86_64",
            ("bash", "5.1-3.el9", "x86_64", "(none)", "2023-11-14T22:13:20+00:00Z", 1700000000),
        ),
        (
            ("zlib", "2", "1.2", "", "i686", "base", "0"),
            "x86_64",
            ("zlib.i686", "2:1.2", "i686", "base", None, None),
        ),
        (("a", "0", "1", "2", "i386", "r", "(none)"), "i686", ("a", "1-2", "i386", "r", None, None)),
        (("a line",), "i686", None),
    ],
)
def test_lines_of_a_query_are_packages(fields, osarch, found):
    assert rpm.parse_pkginfo("_|-".join(fields), osarch) == found


@pytest.mark.parametrize(
    ("version", "parts"),
    [
        ("2:1.0-1.2", ("2", "1.0", "1.2")),
        ("1.0", ("0", "1.0", "")),
        ("x:1-2-3", ("0", "1", "2-3")),
        (None, ("0", "", "")),
    ],
)
def test_a_version_has_three_parts(version, parts):
    assert rpm.version_to_evr(version) == parts


def test_versions_are_compared_part_by_part():
    pairs = [
        (("0", "1.2", "1"), ("", "1.2", "2")),
        (("1", "1", ""), ("0", "9", "9")),
        ((None, "1", "1"), ("0", "1", None)),
    ]

    assert [rpm.evr_compare(*pair) for pair in pairs] == [-1, 1, 1]
    assert rpm.combine_comments(["#a", " b", 5]) == "# a\n# b\n# 5\n"


def test_private_names_that_states_of_users_import_are_there(call_context, monkeypatch):
    import_shim.install()
    service = importlib.import_module("salt.states.service")
    packages = importlib.import_module("salt.modules.pkg_resource")

    assert callable(service.running)
    monkeypatch.setattr(systemd, "booted", lambda: True)
    on_systemd = service._get_systemd_only(
        lambda name, no_block: 0, {"no_block": True, "unmask": True, "x": 1}
    )
    monkeypatch.setattr(systemd, "booted", lambda: False)
    elsewhere = service._get_systemd_only(lambda name, no_block: 0, {"no_block": True})
    call_context()
    packed = packages._repack_pkgs(["a", {"b": 1.5}], normalize=False)

    assert on_systemd == ({"no_block": True}, [])
    assert elsewhere == ({}, ["The 'no_block' argument is not supported by this platform"])
    assert packed == {"a": None, "b": "1.5"}
