"""`pkg` of pacman, with recorded output of pacman 6.1 on Arch."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import pacmanpkg

INSTALLED = "bash 5.2.026-2\ntree 2.1.1-1\n"


@pytest.fixture
def arch(machine):
    programs = machine(pacmanpkg, os_family="Arch", os="Arch", osarch="x86_64")
    programs.answer("pacman -Q", INSTALLED)
    return programs


def test_installed_packages_are_listed(arch):
    assert pacmanpkg.list_pkgs() == {"bash": "5.2.026-2", "tree": "2.1.1-1"}


def test_candidates_and_upgrades_are_printed_without_installing(arch):
    arch.answer("pacman -Sp --needed", "zsh 5.9-5\npcre 8.45-4\n")
    arch.answer("pacman -S -p -u", ":: Starting\nbash 5.2.032-1\ndownloading core.db\n")

    assert pacmanpkg.latest_version("zsh", "bash") == {"zsh": "5.9-5", "bash": ""}
    assert pacmanpkg.list_upgrades() == {"bash": "5.2.032-1"}


def test_a_refresh_reports_each_repository(arch):
    arch.answer("pacman -Sy", ":: Synchronizing\n core is up to date\n downloading extra.db...\n")

    assert pacmanpkg.refresh_db() == {"core": False, "extra": True}


def test_versions_may_be_conditions_and_globs(arch):
    arch.answer("pacman -Sl", "core zsh 5.9-5 [installed]\nextra zsh 5.8-1\nextra vim 9.1-1\n")

    pacmanpkg.install(pkgs=[{"vim": ">=9"}, {"zsh": "5.8*"}, "tree"], refresh=True)

    assert "pacman -S -y --noprogressbar --noconfirm --needed vim>=9 zsh=5.8-1 tree" in arch.lines


def test_a_glob_that_nothing_matches_is_reported_before_anything_is_done(arch):
    arch.answer("pacman -Sl", "core zsh 5.9-5\n")

    with pytest.raises(CommandExecutionError) as caught:
        pacmanpkg.install(pkgs=[{"zsh": "4*"}, {"zsh2": ">4*"}])

    assert caught.value.info["errors"] == [
        "No version matching '4*' found for package 'zsh' (available: 5.9-5)",
        "Invalid wildcard for zsh2>4*",
    ]
    assert not any("pacman -S " in line for line in arch.lines)


def test_removing_takes_what_is_there(arch):
    arch.answer("pacman -R", then=lambda: arch.answer("pacman -Q", "bash 5.2.026-2\n"))

    assert pacmanpkg.remove("tree,nosuch") == {"tree": {"old": "2.1.1-1", "new": ""}}
    assert "pacman -R --noprogressbar --noconfirm tree" in arch.lines


def test_groups_are_whole_partial_or_available(arch):
    arch.answer("pacman -Sgg", "base bash\nbase tree\nx a\nx b\ny c\n")
    arch.answer("pacman -Qg", "base bash\nbase tree\nx a\n")

    assert pacmanpkg.group_list() == {"installed": ["base"], "partially_installed": ["x"], "available": ["y"]}
    assert pacmanpkg.group_diff("base")["default"] == {"installed": ["bash", "tree"], "not installed": []}


def test_files_are_listed_by_package(arch):
    arch.answer("pacman -Ql", "tree /usr/bin/tree\ntree /usr/a b\nerror: package 'x' was not found\n")

    assert pacmanpkg.file_list("tree", "x") == {
        "errors": ["error: package 'x' was not found"],
        "files": ["/usr/bin/tree", "/usr/a b"],
    }
    assert pacmanpkg.file_dict("tree")["packages"] == {"tree": ["/usr/bin/tree", "/usr/a b"]}
