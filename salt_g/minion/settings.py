"""Settings of the minion's connections: each part gets a record of what it reads, and no other setting.

Parts that run plugins are the exception: they hand all settings on, as `opts`.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.wire.rsa import DEFAULT_ENCRYPTION, DEFAULT_SIGNING


class ChannelSettings(NamedTuple):
    """Settings of encrypted requests: algorithms, time limits and tries."""

    encryption_algorithm: str
    signing_algorithm: str
    minion_sign_messages: bool
    return_retry_timer: float
    return_retry_timer_max: float
    return_retry_tries: int
    request_channel_timeout: float
    request_channel_tries: int
    auth_timeout: float
    auth_tries: int
    autosign_grains: Sequence[str]

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> ChannelSettings:
        """Return the settings of a minion."""
        return cls(
            encryption_algorithm=str(opts.get("encryption_algorithm") or DEFAULT_ENCRYPTION),
            signing_algorithm=str(opts.get("signing_algorithm") or DEFAULT_SIGNING),
            minion_sign_messages=bool(opts.get("minion_sign_messages")),
            return_retry_timer=float(opts["return_retry_timer"]),
            return_retry_timer_max=float(opts["return_retry_timer_max"]),
            return_retry_tries=int(opts["return_retry_tries"]),
            request_channel_timeout=float(opts["request_channel_timeout"]),
            request_channel_tries=int(opts["request_channel_tries"]),
            auth_timeout=float(opts["auth_timeout"]),
            auth_tries=int(opts["auth_tries"]),
            autosign_grains=opts.get("autosign_grains") or (),
        )


class SessionSettings(NamedTuple):
    """Settings of a session: how often and for how long a minion tries to have a master; 0 is for ever."""

    id: str
    publish_port: int
    acceptance_wait_time: float
    acceptance_wait_time_max: float
    auth_retries: int
    rejected_retry: bool
    master_tries: int
    master_alive_interval: float
    master_failback: bool
    master_failback_interval: float
    retry_dns: float
    recon_default: float
    recon_max: float
    recon_randomize: bool

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> SessionSettings:
        """Return the settings of a minion."""
        return cls(
            id=str(opts["id"]),
            publish_port=int(opts.get("publish_port") or 0),
            acceptance_wait_time=float(opts["acceptance_wait_time"]),
            acceptance_wait_time_max=float(opts["acceptance_wait_time_max"]),
            auth_retries=int(opts.get("auth_retries") or 0),
            rejected_retry=bool(opts.get("rejected_retry")),
            master_tries=int(opts["master_tries"]),
            master_alive_interval=float(opts.get("master_alive_interval") or 0),
            master_failback=bool(opts.get("master_failback")),
            master_failback_interval=float(opts.get("master_failback_interval") or 0),
            retry_dns=float(opts.get("retry_dns") or 30),
            # Stock's settings are milliseconds.
            recon_default=float(opts["recon_default"]) / 1000,
            recon_max=float(opts["recon_max"]) / 1000,
            recon_randomize=bool(opts.get("recon_randomize")),
        )
