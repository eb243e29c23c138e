"""Service scripts, run by the local shell with a fake rc-update."""

import subprocess

import pytest

from salt_g.resources.ssh.modules import service

#: `rc-update show` of Alpine 3.19.
RC_UPDATE = """\
#!/bin/sh
if [ "$*" = show ]; then
    echo '            bootmisc | boot                                  '
    echo '               crond |      default boot                     '
else
    echo "$*"
fi
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a script as on a machine with OpenRC and returns (exit code, output)."""
    for name, text in (("rc-update", RC_UPDATE), ("rc-service", "#!/bin/sh\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def start(script, *args):
        words = ["/bin/sh", "-c", script.replace("/run/systemd/system", "/nonexistent"), "sh", *args]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    return start


@pytest.mark.parametrize(("name", "code"), [("bootmisc", 0), ("crond", 0), ("sshd", 1), ("cron", 1)])
def test_a_service_of_openrc_is_enabled_in_any_runlevel(run, name, code):
    assert run(service._ENABLED, name) == (code, "")


@pytest.mark.parametrize(
    ("name", "levels"), [("bootmisc", "boot"), ("crond", "default boot"), ("sshd", "default")]
)
def test_a_service_of_openrc_is_disabled_in_all_runlevels(run, name, levels):
    assert run(service._DISABLE, name) == (0, f"del {name} {levels}\n")
