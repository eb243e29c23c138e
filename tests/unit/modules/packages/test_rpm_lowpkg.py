"""`lowpkg` of rpm, with recorded output of its database queries."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import _rpm_versions, rpm_lowpkg


@pytest.fixture
def rpm(machine):
    return machine(rpm_lowpkg, lowpkg=rpm_lowpkg, os_family="RedHat", os="Fedora", osarch="x86_64")


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ("1.0", "1.0", 0),
        ("1.0-1", "1.0-2", -1),
        ("1.0", "1.0-2", 0),
        ("1:0.1", "9", 1),
        ("1.0~rc1", "1.0", -1),
        ("1.0^git1", "1.0", 1),
        ("1.0^git1", "1.0.1", -1),
        ("1.010", "1.9", 1),
        ("1.a", "1.1", -1),
        ("2.0.1a", "2.0.1", 1),
    ],
)
def test_versions_are_ordered_as_rpm_does(first, second, order):
    assert _rpm_versions.compare(first, second) == order
    assert _rpm_versions.compare(second, first) == -order


def test_an_epoch_may_be_ignored():
    assert rpm_lowpkg.version_cmp("1:1.0", "1.0", ignore_epoch=True) == 0


def test_altered_files_are_reported_in_words(rpm):
    rpm.answer(
        "rpm -V httpd",
        "S.5....T.  c /etc/httpd/conf/httpd.conf\nmissing     /usr/share/a b\n.M.......    /var/x\n",
        retcode=1,
    )

    assert rpm_lowpkg.verify("httpd") == {
        "/etc/httpd/conf/httpd.conf": {"mismatch": ["size", "md5sum", "mtime"], "type": "config"},
        "/usr/share/a b": {"missing": True},
        "/var/x": {"mismatch": ["mode"]},
    }
    assert "/etc/httpd/conf/httpd.conf" not in rpm_lowpkg.verify("httpd", ignore_types="config,doc")


def test_a_failed_verification_is_an_error(rpm):
    rpm.answer("rpm -V", retcode=1, stderr="package nosuch is not installed")

    with pytest.raises(CommandExecutionError, match="Failed to verify package"):
        rpm_lowpkg.verify("nosuch")


def test_verification_of_a_package_that_is_not_installed_is_an_error(rpm):
    rpm.answer("rpm -V", stdout="package nosuch is not installed\n", retcode=1)

    with pytest.raises(CommandExecutionError, match=r"Failed to verify.*: package nosuch is not installed$"):
        rpm_lowpkg.verify("nosuch")


def test_modified_files_may_be_chosen_by_what_differs(rpm):
    rpm.answer("rpm -Va", "S.5....T.  c /etc/a\n.M.......    /var/x\n", retcode=1)

    assert rpm_lowpkg.modified() == {"/etc/a": ["size", "checksum", "time", "config"], "/var/x": ["mode"]}
    assert list(rpm_lowpkg.modified(config=False)) == ["/var/x"]
    assert list(rpm_lowpkg.modified(mode=True)) == ["/var/x"]


#: Printed by rpm 4.18 for a package with an unsatisfied dependency.
PRINTED = """\
Unsatisfied dependencies for tpk-1-1.noarch:
\tnosuchthing is needed by (installed) tpk-1-1.noarch
S.5......  a /opt/t/c
missing   l /opt/t/d
S.?......    /opt/t/s p
"""


def test_lines_about_dependencies_are_no_files_and_every_kind_of_file_is_known(rpm):
    rpm.answer("rpm -Va", PRINTED, retcode=1)

    assert rpm_lowpkg.verify() == {
        "/opt/t/c": {"mismatch": ["size", "md5sum"]},
        "/opt/t/d": {"missing": True, "type": "license"},
        "/opt/t/s p": {"mismatch": ["size"]},
    }
    modified = rpm_lowpkg.modified()
    assert list(modified) == ["/opt/t/c", "/opt/t/d", "/opt/t/s p"]
    assert modified["/opt/t/c"] == ["size", "checksum", "config"]


def test_files_are_listed_by_package(rpm):
    rpm.answer("rpm -q --queryformat", "bash 5.2\npackage nosuch is not installed\n")
    rpm.answer("rpm -ql bash", "/bin/bash\n/etc/skel\n")

    assert rpm_lowpkg.file_dict("bash", "nosuch") == {
        "errors": ["package nosuch is not installed"],
        "packages": {"bash": ["/bin/bash", "/etc/skel"]},
    }
    assert rpm_lowpkg.list_pkgs("bash", "nosuch") == {"bash": "5.2"}


def test_a_file_outside_of_packages_has_no_owner(rpm):
    rpm.answer("-qf", "file /x is not owned by any package")

    assert rpm_lowpkg.owner("/x") == ""


def test_fields_of_several_versions_are_reported_newest_first(rpm):
    rows = [("1.9", "kernel", "1.9-1"), ("1.10", "kernel", "1.10-1"), ("1", "gpg-pubkey", "1-1")]
    rpm.answer("rpm -q kernel", "".join("\x1f".join(row) + "\x1e" for row in rows))

    assert rpm_lowpkg.info("kernel", attr="version") == {"kernel": {"version": "1.10"}}
    assert [
        each["edition"] for each in rpm_lowpkg.info("kernel", attr="version", all_versions=True)["kernel"]
    ] == [
        "1.10-1",
        "1.9-1",
    ]
