"""Services without systemd: a script in /etc/init.d that the test writes.

Needs root on a Debian that was not booted with systemd. Where systemctl is installed all the same, the
states report that they are offline; the functions work.
"""

import os
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0
    or not os.path.exists("/etc/debian_version")
    or os.path.exists("/run/systemd/system")
    or not shutil.which("update-rc.d"),
    reason="needs root on a Debian without systemd",
)

NAME = "salt-g-test-service"
SCRIPT = """#!/bin/sh
### BEGIN INIT INFO
# Provides:          {name}
# Required-Start:
# Required-Stop:
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: a service of a test
### END INIT INFO
case "$1" in
  start|restart|reload|force-reload) touch {mark};;
  stop) rm -f {mark};;
  status) test -e {mark};;
esac
"""


@pytest.fixture
def service(salt_g, tmp_path, alone_with):
    path = f"/etc/init.d/{NAME}"
    with alone_with("services"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(SCRIPT.format(name=NAME, mark=tmp_path / "runs"))
        os.chmod(path, 0o755)
        yield salt_g
        os.unlink(path)
        subprocess.run(["update-rc.d", "-f", NAME, "remove"], check=False, capture_output=True)


def test_a_service_is_started_and_stopped(service):
    assert service("service.status", NAME).value is False

    assert service("service.start", NAME).value is True
    assert service("service.status", NAME).value is True

    assert service("service.stop", NAME).value is True
    assert service("service.status", NAME).value is False


def test_a_service_is_enabled_and_disabled(service):
    assert service("service.available", NAME).value is True
    assert service("service.enabled", NAME).value is False

    service("service.enable", NAME)
    assert service("service.enabled", NAME).value is True

    service("service.disable", NAME)
    assert service("service.disabled", NAME).value is True


@pytest.mark.skipif(not shutil.which("systemctl"), reason="without systemctl the states do their work")
def test_states_say_that_services_cannot_run_here(service):
    result = service.state("service.running", NAME)

    assert result["comment"] == "Running in OFFLINE mode. Nothing to do"
