"""Settings of the minion's connections: units, defaults, empty values."""

import subprocess
import sys

from salt_g.minion.settings import (
    AutomationSettings,
    BeaconRoundSettings,
    BusSettings,
    ChannelSettings,
    DiscoverySettings,
    MasterListSettings,
    MinionResourceSettings,
    MinionScheduleSettings,
    ResolverSettings,
    SessionSettings,
    SourceSettings,
)
from salt_g.wire.rsa import DEFAULT_ENCRYPTION, DEFAULT_SIGNING


def test_pauses_of_a_reconnection_are_milliseconds_in_the_settings_and_seconds_here(opts):
    settings = SessionSettings.of({**opts, "recon_default": 1500, "recon_max": "9000"})

    assert (settings.recon_default, settings.recon_max) == (1.5, 9.0)


def test_an_absent_setting_is_off_or_has_its_default(opts):
    for absent in (
        {},
        {"publish_port": None, "master_alive_interval": "", "retry_dns": 0, "rejected_retry": None},
    ):
        settings = SessionSettings.of({**{k: v for k, v in opts.items() if k != "retry_dns"}, **absent})
        assert (settings.publish_port, settings.master_alive_interval, settings.retry_dns) == (0, 0.0, 30.0)
        assert (settings.rejected_retry, settings.master_failback, settings.auth_retries) == (False, False, 0)


def test_algorithms_that_are_empty_are_the_defaults(opts):
    for algorithms in ({}, {"encryption_algorithm": "", "signing_algorithm": None}):
        settings = ChannelSettings.of({**opts, **algorithms, "autosign_grains": None})
        assert (settings.encryption_algorithm, settings.signing_algorithm) == (
            DEFAULT_ENCRYPTION,
            DEFAULT_SIGNING,
        )
        assert (settings.autosign_grains, settings.minion_sign_messages) == ((), False)


def test_numbers_may_be_written_as_text(opts):
    channel = ChannelSettings.of({**opts, "auth_tries": "7", "auth_timeout": "2.5"})
    session = SessionSettings.of({**opts, "master_tries": "-1", "publish_port": "4505", "id": 12})

    assert (channel.auth_tries, channel.auth_timeout) == (7, 2.5)
    assert (session.master_tries, session.publish_port, session.id) == (-1, 4505, "12")


def test_masters_are_named_with_their_order_and_the_form_of_their_names():
    plain = {"id": 7, "master": ["a", "b"], "master_port": 4506}

    assert MasterListSettings.of(plain) == MasterListSettings("7", ["a", "b"])
    assert MasterListSettings.of({**plain, "master_shuffle": True, "master_uri_format": "ip_only"}) == (
        MasterListSettings("7", ["a", "b"], is_ip_only=True, is_shuffled=True)
    )


def test_a_name_is_resolved_once_when_nobody_can_wait():
    settings = ResolverSettings.of({"retry_dns": "30", "retry_dns_count": "3", "ipv6": 1})

    assert settings == ResolverSettings(30.0, 3, True)
    assert settings.once() == ResolverSettings(0.0, 3, True)
    assert ResolverSettings.of({"retry_dns": 5}) == ResolverSettings(5.0, None, None)


def test_a_source_that_is_empty_is_any():
    assert SourceSettings.of({"source_address": None, "source_ret_port": ""}) == SourceSettings()
    assert SourceSettings.of({"source_address": "10.0.0.5", "source_publish_port": "7000"}) == (
        SourceSettings("", "10.0.0.5", 0, 7000)
    )


def test_the_bus_has_sockets_or_ports():
    opts = {"id": "m1", "sock_dir": "/run/m", "tcp_pub_port": 4510, "tcp_pull_port": 4511}

    sockets, ports = BusSettings.of(opts), BusSettings.of({**opts, "ipc_mode": "tcp", "max_event_size": "9"})

    assert (sockets.is_tcp, sockets.max_event_size) == (False, 1048576)
    assert str(sockets.addresses.pub).startswith("/run/m/minion_event_")
    assert (ports.is_tcp, ports.max_event_size, ports.addresses.pull.number) == (True, 9, 4511)


def test_beacons_have_a_round_each_second_unless_the_settings_say_otherwise():
    assert BeaconRoundSettings.of({"id": "m1", "loop_interval": 0}) == BeaconRoundSettings("m1", None, 1.0)
    assert BeaconRoundSettings.of({"id": "m1", "loop_interval": "5", "beacons": {"b": []}}) == (
        BeaconRoundSettings("m1", {"b": []}, 5.0)
    )


def test_schedule_and_beacons_wait_for_a_master_unless_the_settings_say_otherwise():
    opts = {"id": "m1", "conf_file": "/etc/salt/minion", "default_include": "minion.d/*.conf"}

    waiting = AutomationSettings.of(opts)
    early = AutomationSettings.of({**opts, "scheduler_before_connect": True, "engines": [{"test": {}}]})

    assert waiting.schedule == MinionScheduleSettings({}, 1.0, None, "/etc/salt/minion.d/_schedule.conf")
    assert (waiting.scheduler_before_connect, waiting.beacons_before_connect) == (False, False)
    assert (early.scheduler_before_connect, early.engines) == (True, [{"test": {}}])


def test_at_least_one_resource_is_asked_at_a_time():
    opts = {"resource_timeout": "3", "resource_fan_out": 0, "resource_job_timeout": 9}

    settings = MinionResourceSettings.of({**opts, "resource_pillar_key": "devices"})

    assert settings.discovery == DiscoverySettings(3.0, 1)
    assert (settings.timeouts.resource_job_timeout, settings.pillar_key) == (9.0, "devices")


def test_names_and_ports_of_masters_are_read_without_the_cryptography_library():
    program = "import sys, salt_g.minion.connection.masters; sys.exit('Crypto' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
