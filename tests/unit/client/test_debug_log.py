"""Debug lines of clients, which must not import `logging`."""

import subprocess
import sys

from salt_g.client.debug_log import debug


def test_a_client_without_a_log_does_not_load_logging():
    code = "from salt_g.client import debug_log as a; a.debug('x'); assert 'logging' not in a.sys.modules"

    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_line_is_logged_where_logging_is_loaded(caplog):
    caplog.set_level("DEBUG", "salt_g.client")

    debug("event %s", "salt/auth")

    assert caplog.messages == ["event salt/auth"]
