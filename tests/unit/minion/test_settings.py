"""Settings of the minion's connections: units, defaults, and what is empty."""

from salt_g.minion.settings import ChannelSettings, SessionSettings
from salt_g.wire.rsa import DEFAULT_ENCRYPTION, DEFAULT_SIGNING


def test_pauses_of_a_reconnection_are_milliseconds_in_the_settings_and_seconds_here(opts):
    settings = SessionSettings.of({**opts, "recon_default": 1500, "recon_max": "9000"})

    assert (settings.recon_default, settings.recon_max) == (1.5, 9.0)


def test_what_is_not_set_is_off_or_the_default(opts):
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
