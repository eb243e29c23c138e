"""System files that modules rewrite: the administrator's owner, mode and links are kept."""

import os

import pytest

from salt_g.modules import _grains_file, _network_settings, _repo_files, aliases, linux_sysctl, mount


def _set_alias(path):
    aliases.set_target("root", "admin@example.com")


def _set_fstab(path):
    mount.set_fstab("/data", "//nas/data", "cifs", "password=secret", config=path)


def _set_automaster(path):
    mount.set_automaster("/data", "nas:/data", "nfs", config=path)


def _persist(path):
    linux_sysctl.persist("vm.swappiness", 10, config=path)


def _add_repo(path):
    file = _repo_files.RepoFile(path)
    file.change("mine", {"baseurl": "https://user:secret@example.com"}, [])
    file.save()


def _write_interface(path):
    _network_settings.write(path, "wpa-psk secret\n")


def _set_grain(path):
    _grains_file.write_grains({"role": "web"})


WRITERS = [_set_alias, _set_fstab, _set_automaster, _persist, _add_repo, _write_interface, _set_grain]


@pytest.mark.parametrize("write", WRITERS)
def test_a_rewritten_file_keeps_owner_mode_and_link(write, call_context, installed, tmp_path):
    target, link = tmp_path / "target", tmp_path / "grains"
    target.write_text("")
    target.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(target, 4321, 4321)
    link.symlink_to(target)
    before = target.stat()
    installed("sysctl")
    done = {"retcode": 0, "stdout": "vm.swappiness = 10", "stderr": ""}
    functions = {"config.option": lambda name: str(link), "cmd.run_all": lambda argv, **options: done}
    call_context(functions=functions, opts={"conf_file": str(tmp_path / "minion")})

    write(str(link))

    after = target.stat()
    assert link.is_symlink()
    assert target.read_text()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_an_aliases_file_in_latin_1_keeps_its_bytes(call_context, installed, tmp_path):
    file = tmp_path / "aliases"
    file.write_bytes(b"# f\xfcr alle\n")
    installed()
    call_context(functions={"config.option": lambda name: str(file)})

    aliases.set_target("root", "admin@example.com")

    assert file.read_bytes() == b"# f\xfcr alle\nroot: admin@example.com\n"
