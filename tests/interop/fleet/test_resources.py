"""Resources of a minion in mixed fleets: ours on stock's master, stock's on ours."""

import shutil

import pytest

DUMMIES = "resources: {dummy: {resource_ids: [d-01, d-02]}}\n"
SLS = "samba:\n  service.running: []\nfine:\n  test.nop: []\n"


@pytest.fixture(scope="module")
def dummies(fleet, wait_until):
    """Yield the fleet, with two dummies on its minion that the master knows, for read-only tests."""
    if fleet.series != "3008":
        pytest.skip(f"stock Salt {fleet.series} knows no resources")
    top = "base:\n  'm1':\n    - dummies\n"
    fleet.write({"pillar/top.sls": top, "pillar/dummies.sls": DUMMIES, "states/dummies.sls": SLS})
    fleet.salt("m1", "saltutil.refresh_pillar")
    wait_until(
        lambda: fleet.salt("-C", "T@dummy", "test.ping", "-t", "3").value == {"d-01": True, "d-02": True},
        "both dummies answer",
        fleet,
    )
    yield fleet
    fleet.forget_resources()


@pytest.fixture
def changed(dummies, wait_until):
    """Yield the same for tests that change the pillar, which is restored afterwards."""
    yield dummies
    dummies.write({"pillar/dummies.sls": DUMMIES})
    dummies.salt("m1", "saltutil.refresh_pillar")
    wait_until(
        lambda: dummies.salt("*", "test.ping", "-t", "3").value == {"m1": True, "d-01": True, "d-02": True},
        "both dummies answer again",
        dummies,
    )


def test_resources_are_targeted_by_type_id_list_and_grains(dummies):
    both = {"d-01": True, "d-02": True}

    assert dummies.salt("d-01", "test.ping").value == {"d-01": True}
    assert dummies.salt("-C", "T@dummy:d-02", "test.ping").value == {"d-02": True}
    assert dummies.salt("-L", "d-01,m1", "test.ping").value == {"d-01": True, "m1": True}
    assert dummies.salt("-G", "resource_id:d-0*", "test.ping").value == both
    assert dummies.salt("m1", "test.ping").value == {"m1": True}
    assert dummies.salt("*", "test.ping").value == {"m1": True, **both}
    assert dummies.salt("-C", "T@dummy and G@resource_id:d-02", "test.ping").value == {"d-02": True}


def test_an_unsupported_function_is_refused(dummies):
    refused = dummies.salt("d-01", "cmd.run", "id")

    assert refused.value["d-01"].startswith("Function 'cmd.run' is not supported for resource type 'dummy'.")
    assert dummies.reports_failure(refused)


def test_states_run_on_resources_of_our_minion(dummies):
    if dummies.minion.whose != "ours":
        pytest.skip("stock's dummies run no states")

    applied = dummies.salt("-C", "T@dummy", "state.apply", "dummies")
    beside = dummies.salt("-L", "d-01,m1", "state.single", "test.nop", "x")

    assert applied.code == 0
    assert {id: [one["result"] for one in run.values()] for id, run in applied.value.items()} == {
        "d-01": [True, True],
        "d-02": [True, True],
    }
    assert sorted(beside.value) == ["d-01", "m1"]


def test_the_grain_of_our_minion_names_its_resources(dummies):
    if dummies.minion.whose != "ours":
        pytest.skip("stock's minion has the grain after its next start")

    assert dummies.returned("grains.get", "salt_resources") == {"dummy": ["d-01", "d-02"]}


def test_a_resource_gone_from_pillar_is_deregistered(changed, wait_until):
    changed.write({"pillar/dummies.sls": DUMMIES.replace(", d-02", "")})

    changed.salt("m1", "saltutil.refresh_pillar")

    wait_until(
        lambda: changed.salt("-C", "T@dummy", "test.ping", "-t", "3").value == {"d-01": True},
        "one dummy is left",
        changed,
    )


def test_hosts_by_ssh_are_registered_and_answer(changed, wait_until):
    if changed.minion.whose != "ours":
        pytest.skip("stock's type fetches a bundle for the host from the network before it answers")
    if not shutil.which("ssh"):
        pytest.skip("no ssh program")
    # No server listens there: what the type answers, and whose answer it is, needs no host.
    host = "ssh: {hosts: {web-01: {host: 127.0.0.1, port: 9, user: root, no_host_keys: true}}}"
    changed.write({"pillar/dummies.sls": DUMMIES.replace("}}\n", "}, " + host + "}\n")})

    changed.salt("m1", "saltutil.refresh_pillar")

    wait_until(
        lambda: changed.salt("web-01", "test.ping", "-t", "5").value == {"web-01": False},
        "the host answers",
        changed,
    )
    assert changed.salt("-C", "T@ssh", "test.ping").value == {"web-01": False}
    assert changed.salt("-C", "T@ssh:web-01 or T@dummy:d-02", "test.ping").value == {
        "web-01": False,
        "d-02": True,
    }
