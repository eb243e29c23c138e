"""`pkg` of apk, with recorded output of apk 2.14 on Alpine 3.20."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import apkpkg

INSTALLED = "musl-1.2.5-r0\nbusybox-1.36.1-r29\nWARNING: opening from cache\n"


@pytest.fixture
def alpine(machine):
    programs = machine(apkpkg, os_family="Alpine", os="Alpine", osarch="x86_64")
    programs.answer("apk info -v", INSTALLED)
    return programs


def test_names_and_versions_are_distinguished(alpine):
    assert apkpkg.list_pkgs() == {"musl": "1.2.5-r0", "busybox": "1.36.1-r29"}
    assert apkpkg.version("musl") == "1.2.5-r0"


def test_upgrades_and_latest_versions_come_from_a_simulation(alpine):
    alpine.answer("apk upgrade -s", "(1/1) Upgrading musl (1.2.5-r0 -> 1.2.5-r1)\nOK: 9 MiB\n")
    alpine.answer("apk search tree", "tree-2.1.1-r0\ntree-doc-2.1.1-r0\n")

    assert apkpkg.list_upgrades() == {"musl": "1.2.5-r1"}
    assert apkpkg.latest_version("musl", "tree") == {"musl": "1.2.5-r1", "tree": "2.1.1-r0"}


def test_versions_are_compared_by_apk(alpine):
    alpine.answer("apk version -t 1.2-r0 1.2-r1", "<\n")

    assert apkpkg.version_cmp("1.2-r0", "1.2-r1") == -1


def test_installing_and_removing_report_what_changed(alpine):
    alpine.answer("apk add", then=lambda: alpine.answer("apk info -v", INSTALLED + "tree-2.1.1-r0\n"))

    assert apkpkg.install(pkgs=["musl", {"tree": "2.1.1-r0"}]) == {"tree": {"old": "", "new": "2.1.1-r0"}}
    assert "apk add -u musl tree=2.1.1-r0" in alpine.lines
    assert apkpkg.remove("nosuch") == {}
    apkpkg.purge("tree")
    assert "apk del --purge tree" in alpine.lines


def test_a_failure_is_reported_with_its_words(alpine):
    alpine.answer("apk add", stderr="ERROR: unable to select packages: nosuch", retcode=1)

    with pytest.raises(CommandExecutionError) as caught:
        apkpkg.install("nosuch")

    assert caught.value.info["errors"] == ["ERROR: unable to select packages: nosuch"]


def test_files_and_owners_are_reported(alpine):
    alpine.answer("apk info -L musl", "musl-1.2.5-r0 contains:\nlib/ld-musl-x86_64.so.1\n\n")
    alpine.answer("apk info -W /lib/x", "/lib/x is owned by musl-1.2.5-r0\n")
    alpine.answer("apk info -W /y", "ERROR: /y: Could not find owner package\n")

    assert apkpkg.file_dict("musl")["packages"] == {"musl": ["lib/ld-musl-x86_64.so.1"]}
    assert apkpkg.owner("/lib/x", "/y") == {"/lib/x": "musl-1.2.5-r0", "/y": "Could not find owner package"}
