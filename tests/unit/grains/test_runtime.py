"""Versions of the running software."""

import sys

import salt_g
from salt_g.grains.runtime import python, salt, zmqversion


def test_the_salt_version_is_what_formulas_compare():
    found = salt()

    assert found["saltversion"] == salt_g.SALT_LEVEL
    assert found["saltversioninfo"] >= [3006]
    assert found["saltgversion"] == salt_g.__version__


def test_grains_describe_the_running_python():
    assert python()["pythonexecutable"] == sys.executable
    assert python()["pythonversion"] == list(sys.version_info)


def test_the_version_of_libzmq_is_that_of_pyzmq():
    import zmq

    assert zmqversion() == {"zmqversion": zmq.zmq_version()}
