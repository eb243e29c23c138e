"""Grains through the real command: users' modules, the grains file, values kept between processes."""

USERS = """
def site(grains):
    return {"site": {"room": "b"}, "machine_of": grains["nodename"], "kernel": "theirs"}

def broken():
    raise RuntimeError("the rack does not answer")
"""


def test_users_grains_are_beside_ours_and_win(salt_g):
    salt_g.write({"_grains/memory.py": USERS})
    salt_g("saltutil.sync_grains")

    found = salt_g("grains.item", "site:room", "machine_of", "nodename", "kernel", "mem_total")

    assert found.value["site:room"] == "b"
    assert found.value["machine_of"] == found.value["nodename"]
    assert found.value["kernel"] == "theirs"
    assert found.value["mem_total"] > 0


def test_a_broken_grain_is_named_on_standard_error(salt_g):
    salt_g.write({"_grains/memory.py": USERS})
    salt_g("saltutil.sync_grains")

    found = salt_g("grains.get", "id")

    assert (found.code, found.value) == (0, "m1")
    assert "memory.broken" in found.err
    assert "the rack does not answer" in found.err


def test_a_grain_that_is_set_is_there_in_the_next_call(salt_g):
    salt_g("grains.set", "apps:site:port", "8080")

    assert salt_g("grains.get", "apps:site:port").value == 8080
    assert (salt_g.conf / "grains").read_text() == "apps:\n  site:\n    port: 8080\n"


def test_a_state_sees_a_grain_that_the_run_before_it_set(salt_g):
    salt_g.write({"role.sls": "role:\n  grains.present:\n    - value: {{ grains.get('role', 'web') }}\n"})

    first, second = salt_g("state.apply", "role"), salt_g("state.apply", "role")

    assert [next(iter(run.value.values()))["changes"] for run in (first, second)] == [{"role": "web"}, {}]


def test_grains_of_the_settings_win(salt_g):
    salt_g("grains.setval", "role", "file")

    assert salt_g("grains.get", "role", grains={"role": "settings"}).value == "settings"


def test_blacklisted_grains_are_gone(salt_g):
    found = salt_g("grains.items", grains_blacklist=["cpu*", "ip.*"])

    assert not [name for name in found.value if name.startswith(("cpu", "ip"))]
    assert "os" in found.value
