"""Jobs of several functions, through the Python API."""

import pytest

from salt_g.client import LocalClient


@pytest.fixture
def client(start_master, start_minion):
    """Yield a client of a master with the minion m1."""
    master = start_master()
    start_minion(master)
    with LocalClient(c_path=str(master.config_dir / "master")) as made:
        yield made


def test_each_function_has_its_arguments_and_its_return(client):
    returned = client.cmd("m1", ["test.ping", "test.echo", "test.arg"], [[], ["x"], [1, "n=2"]], timeout=60)

    arg = returned["m1"].pop("test.arg")
    assert returned == {"m1": {"test.ping": True, "test.echo": "x"}}
    assert arg["args"] == [1]
    assert arg["kwargs"]["n"] == 2


def test_one_that_fails_leaves_the_others_alone(client):
    full = client.cmd(
        "m1", ["test.ping", "no.such", "test.echo"], [[], [], ["x"]], timeout=60, full_return=True
    )["m1"]

    assert full["ret"]["test.ping"] is True
    assert "'no.such' is not available" in str(full["ret"]["no.such"])
    assert full["ret"]["test.echo"] == "x"
    assert full["retcode"] == {"test.ping": 0, "no.such": 1, "test.echo": 0}


def test_functions_that_come_twice_are_distinguished_where_the_order_counts(
    start_master, start_minion, daemon_root
):
    master = start_master()
    start_minion(master, multifunc_ordered=True)

    with LocalClient(c_path=str(master.config_dir / "master")) as client:
        returned = client.cmd("m1", ["test.echo", "test.echo"], [["a"], ["b"]], timeout=60)

    assert returned == {"m1": ["a", "b"]}
