import subprocess

import pytest

from salt_g.packaging import debian_package, scripts


@pytest.mark.parametrize("text", [
    scripts.SET_UP, scripts.RESTART_RUNNING, scripts.STOP, scripts.RELOAD, scripts.PURGE,
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
