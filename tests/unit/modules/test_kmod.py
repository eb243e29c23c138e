import os

import pytest

from salt_g.modules import kmod


@pytest.fixture
def kernel(call_context, tmp_path, monkeypatch, installed):
    loaded = tmp_path / "modules"
    loaded.write_text("kvm 1000 1 kvm_intel, Live 0x0\nloop 40 0 - Live 0x0\n")
    monkeypatch.setattr(kmod, "_LOADED", str(loaded))
    monkeypatch.setattr(kmod, "_CONFIG", str(tmp_path / "boot"))
    release = tmp_path / os.uname().release
    (release / "drivers").mkdir(parents=True)
    (release / "modules.builtin").write_text("kernel/kvm.ko\nkernel/loop.ko\n")
    (release / "drivers" / "zram.ko.xz").touch()
    monkeypatch.setattr(kmod, "_DIRECTORY", str(tmp_path))
    installed("modprobe", "rmmod")

    def run_all(argv, **options):
        if argv[0] == "modprobe" and argv[1] == "zram":
            loaded.write_text(loaded.read_text() + "zram 8 0 - Live 0x0\n")
        is_known = argv[1] in kmod.available()
        return {
            "pid": 1,
            "retcode": 0 if is_known else 1,
            "stdout": "",
            "stderr": "" if is_known else "not found",
        }

    call_context(functions={"cmd.run_all": run_all}, grains={"kernel": "Linux"})
    return tmp_path


def test_loaded_modules_come_from_the_kernels_own_list(kernel):
    assert kmod.mod_list() == ["kvm", "loop"]
    assert kmod.lsmod()[0] == {"size": "1000", "module": "kvm", "depcount": "1", "deps": ["kvm_intel"]}


def test_modules_that_could_be_loaded_are_built_in_ones_and_files(kernel):
    assert kmod.available() == ["kvm", "loop", "zram"]


def test_loading_reports_what_is_new(kernel):
    assert kmod.load("zram") == ["zram"]
    assert kmod.load("nosuch") == "Error loading module nosuch: not found"


def test_a_kept_module_is_a_line_and_a_dropped_one_a_comment(kernel):
    kmod.load("zram", persist=True)
    assert (kernel / "boot").read_text() == "zram\n"

    kmod.remove("zram", persist=True)
    assert (kernel / "boot").read_text() == "#zram\n"

    kmod.load("zram", persist=True)
    assert (kernel / "boot").read_text() == "zram\n"
