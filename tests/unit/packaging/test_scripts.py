import subprocess

import pytest

from salt_g.packaging import debian_package, scripts


@pytest.mark.parametrize("text", [
    scripts.SET_UP, scripts.LABEL, scripts.RESTART_RUNNING, scripts.STOP, scripts.RELOAD, scripts.PURGE,
    scripts.refuse_downgrade("1.2"), *debian_package._scripts("1.2").values(),
])  # fmt: skip
def test_a_shell_reads_each_script(text):
    done = subprocess.run(["sh", "-n"], input=text, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words, code", [
    (("upgrade", "1.3"), 1), (("upgrade", "1.2"), 0), (("upgrade", "1.1"), 0), (("install",), 0),
])  # fmt: skip
def test_only_a_later_version_is_not_replaced(words, code):
    script = scripts.refuse_downgrade("1.2")
    done = subprocess.run(["sh", "-ec", script, "preinst", *words], capture_output=True, text=True)

    assert done.returncode == code
    assert ("salt-g 1.3 is installed" in done.stderr) == bool(code)


@pytest.mark.parametrize(("enabled", "called"), [(0, True), (1, False)])
def test_the_program_is_labelled_where_selinux_is_enabled(tmp_path, enabled, called):
    for name, code in {"selinuxenabled": enabled, "chcon": 0, "semanage": 1}.items():
        (tmp_path / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/calls\nexit {code}\n')
        (tmp_path / name).chmod(0o755)

    script = f'PATH="{tmp_path}:$PATH"\n{scripts.LABEL}'
    done = subprocess.run(["sh", "-ec", script], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert ("chcon -t bin_t /usr/lib/salt-g/salt-g" in (tmp_path / "calls").read_text()) == called
