"""Grains that identify the minion."""

from salt_g.grains.identity import grain_opts, machine_id, minion, salt_resources, server_id


def test_the_server_id_is_made_of_the_minion_id(call_context):
    call_context(opts={"id": "me"})

    assert server_id() == {"server_id": 1108128480}


def test_id_and_master_come_from_the_settings(call_context):
    call_context(opts={"id": "web1", "master": "salt.example.net", "append_domain": "example.net"})

    assert minion() == {"id": "web1", "master": "salt.example.net", "append_domain": "example.net"}


def test_systemd_gives_the_machine_id_before_dbus(tree):
    root = tree({"/etc/machine-id": "abc\n", "/var/lib/dbus/machine-id": "def\n"})

    assert machine_id(root) == {"machine_id": "abc"}


def test_a_machine_without_an_id_has_no_such_grain(tmp_path):
    assert machine_id(str(tmp_path)) == {}


def test_managed_resources_are_a_grain(call_context):
    call_context(opts={"resources": {"dummy": ["dummy-01"]}})

    assert salt_resources() == {"salt_resources": {"dummy": ["dummy-01"]}}


def test_settings_are_a_grain_only_when_asked_for(call_context):
    call_context(opts={"grain_opts": False})

    assert grain_opts() == {}
