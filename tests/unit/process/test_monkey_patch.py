"""Monkey patches: the standard library yields to the hub, also TLS, without needless imports."""

import subprocess
import sys

import pytest

START = """
import sys
from salt_g.process import monkey_patch
monkey_patch.patch()
from gevent import monkey
"""


def _run(code):
    done = subprocess.run([sys.executable, "-c", START + code], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.split()


def test_sockets_threads_and_programs_yield():
    names = ("socket", "threading", "subprocess", "select", "signal", "time", "queue")

    out = _run(f"print(*[monkey.is_module_patched(name) for name in {names}])")

    assert out == ["True"] * len(names)


def test_a_program_that_opens_no_connection_loads_neither_tls_nor_the_metadata_of_packages():
    names = ("ssl", "email.message", "zipfile", "csv", "importlib.metadata")

    out = _run(f"print(*[name for name in {names} if name in sys.modules])")

    assert out == []


@pytest.mark.parametrize(
    "importing", ["import ssl", "import urllib.request, ssl", "from ssl import SSLSocket"]
)
def test_tls_yields_as_soon_as_it_is_imported(importing):
    out = _run(f"{importing}\nimport ssl\nprint(monkey.is_module_patched('ssl'), ssl.SSLSocket.__module__)")

    assert out == ["True", "gevent.ssl"]


def test_tls_that_was_there_before_yields_too():
    code = "import ssl\n" + START + "print(ssl.SSLContext.__module__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert (done.stdout, done.stderr) == ("gevent.ssl\n", "")


def test_a_subscriber_is_notified_of_patches():
    code = "from gevent import events; heard = []; events.subscribers.append(heard.append)\n"
    done = subprocess.run(
        [sys.executable, "-c", code + START + "print(len(heard) > 3)"],
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.stdout, done.stderr) == ("True\n", "")


WAITS = """
import gevent, gevent.event, time
NAN = float("nan")

def refused(wait):
    try:
        wait()
    except ValueError:
        return True

print(
    refused(lambda: gevent.sleep(NAN)),
    refused(lambda: time.sleep(NAN)),
    refused(lambda: gevent.event.Event().wait(NAN)),
    refused(lambda: gevent.Timeout(NAN)),
)
gevent.sleep(0.001)
print("on")
"""


def test_a_time_that_is_no_number_is_refused_and_does_not_stop_the_hub():
    assert _run(WAITS) == ["True"] * 4 + ["on"]
