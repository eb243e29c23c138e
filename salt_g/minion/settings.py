"""Settings of the minion's parts, each of which gets a record of the settings that it reads.

Parts that run plugins are an exception, because plugins get all settings as `opts`.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.config.daemon_written import SCHEDULE, own_file
from salt_g.errors import ConfigError
from salt_g.net import event_bus_addresses
from salt_g.net.event_bus_addresses import EventBusAddresses
from salt_g.resource_model.pillar_settings import DEFAULT_KEY, key_of
from salt_g.wire.ids import RULE, is_valid_id


class MasterListSettings(NamedTuple):
    """Settings that name the masters; `master` is a name, a list of names or (`func`) a function's name."""

    id: str
    master: Any = "salt"
    master_type: str = "str"
    master_port: str = "4506"
    #: Whether names of masters contain no port.
    is_ip_only: bool = False
    is_shuffled: bool = False

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> MasterListSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            id=str(opts["id"]),
            master=opts["master"],
            master_type=str(opts.get("master_type") or "str"),
            master_port=str(opts["master_port"]),
            is_ip_only=opts.get("master_uri_format") == "ip_only",
            is_shuffled=bool(opts.get("random_master") or opts.get("master_shuffle")),
        )


class ResolverSettings(NamedTuple):
    """Settings of name resolution: pause between tries (0: one try only), number of tries (None: no limit).

    `ipv6` True resolves to IPv6 only, None prefers IPv4, False uses the resolver's first answer.
    """

    retry_dns: float
    retry_dns_count: int | None = None
    ipv6: bool | None = None

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> ResolverSettings:
        """Read these settings from the minion's `opts`."""
        count, ipv6 = opts.get("retry_dns_count"), opts.get("ipv6")
        return cls(
            float(opts["retry_dns"]),
            None if count is None else int(count),
            None if ipv6 is None else bool(ipv6),
        )

    def once(self) -> ResolverSettings:
        """Return these settings, limited to a single try."""
        return self._replace(retry_dns=0.0)


class SourceSettings(NamedTuple):
    """Settings of the local end of connections: interface or address, and local ports (0: any)."""

    source_interface_name: str = ""
    source_address: str = ""
    source_ret_port: int = 0
    source_publish_port: int = 0

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> SourceSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            str(opts.get("source_interface_name") or ""),
            str(opts.get("source_address") or ""),
            int(opts.get("source_ret_port") or 0),
            int(opts.get("source_publish_port") or 0),
        )


class ConnectorSettings(NamedTuple):
    """Settings of sockets to masters; reconnection pauses are in milliseconds, as in libzmq."""

    id: str
    resolver: ResolverSettings
    source: SourceSettings
    recon_default: int
    recon_max: int
    tcp_keepalive_idle: int
    #: Transport (`zeromq`, `tcp` or `ws`), and the TLS settings (None without TLS).
    transport: str = "zeromq"
    ssl: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> ConnectorSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            str(opts["id"]),
            ResolverSettings.of(opts),
            SourceSettings.of(opts),
            int(opts["recon_default"]),
            int(opts["recon_max"]),
            int(opts.get("tcp_keepalive_idle") or 300),
            str(opts.get("transport") or "zeromq"),
            opts.get("ssl"),
        )


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
        """Read these settings from the minion's `opts`."""
        # Imported lazily: names and ports of masters are read without keys.
        from salt_g.wire.rsa import DEFAULT_ENCRYPTION, DEFAULT_SIGNING

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
    """Settings of a session with a master: number of attempts (0: no limit), pauses between them."""

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
        """Read these settings from the minion's `opts`."""
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
            # Stock's settings are in milliseconds.
            recon_default=float(opts["recon_default"]) / 1000,
            recon_max=float(opts["recon_max"]) / 1000,
            recon_randomize=bool(opts.get("recon_randomize")),
        )


class StartSettings(NamedTuple):
    """Settings of the minion's start: start events, and the pause before retrying a pillar request."""

    id: str
    acceptance_wait_time: float
    start_event_grains: Sequence[str]
    enable_legacy_startup_events: bool

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> StartSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            str(opts["id"]),
            float(opts["acceptance_wait_time"]),
            opts.get("start_event_grains") or (),
            bool(opts.get("enable_legacy_startup_events")),
        )


class IncomingJobSettings(NamedTuple):
    """Settings of incoming jobs: longest random pause before a sign-in, number of remembered jids."""

    id: str
    random_reauth_delay: float
    minion_jid_queue_hwm: int

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> IncomingJobSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            str(opts["id"]), float(opts.get("random_reauth_delay") or 0), int(opts["minion_jid_queue_hwm"])
        )


class IdentitySettings(NamedTuple):
    """Settings of the minion's id and of its trust in masters."""

    id: str
    pki_dir: str
    always_verify_signature: bool
    master_finger: str
    hash_type: str
    verify_master_pubkey_sign: bool
    master_sign_key_name: str
    keysize: int

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> IdentitySettings:
        """Read these settings from the minion's `opts`; raise ConfigError for an invalid id."""
        if not is_valid_id(opts["id"]):
            raise ConfigError([f"id: {str(opts['id'])[:64]!r} cannot be an id: {RULE}"])
        return cls(
            id=str(opts["id"]),
            pki_dir=str(opts["pki_dir"]),
            always_verify_signature=bool(opts.get("always_verify_signature")),
            master_finger=str(opts.get("master_finger") or ""),
            hash_type=str(opts.get("hash_type") or "sha256"),
            verify_master_pubkey_sign=bool(opts.get("verify_master_pubkey_sign")),
            master_sign_key_name=str(opts.get("master_sign_key_name") or "master_sign"),
            keysize=int(opts.get("keysize") or 2048),
        )


class MasterAccessSettings(NamedTuple):
    """Settings of a program that uses a master under this minion's identity."""

    identity: IdentitySettings
    masters: MasterListSettings
    channel: ChannelSettings
    connector: ConnectorSettings

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> MasterAccessSettings:
        """Read these settings from the minion's `opts`; raise ConfigError for an invalid id."""
        return cls(
            IdentitySettings.of(opts),
            MasterListSettings.of(opts),
            ChannelSettings.of(opts),
            ConnectorSettings.of(opts),
        )


class BusSettings(NamedTuple):
    """Settings of the minion's event bus: its sockets or ports, largest event in bytes."""

    sock_dir: str
    addresses: EventBusAddresses
    is_tcp: bool
    max_event_size: int

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> BusSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            str(opts["sock_dir"]),
            event_bus_addresses.of_minion(opts),
            event_bus_addresses.is_tcp(opts),
            int(opts.get("max_event_size") or 1048576),
        )


class RetrySettings(NamedTuple):
    """Settings of resending unacknowledged returns: shortest and longest pause before the next try."""

    return_retry_timer: float
    return_retry_timer_max: float

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> RetrySettings:
        """Read these settings from the minion's `opts`; the longest pause is at least the shortest."""
        low = float(opts["return_retry_timer"])
        return cls(low, max(low, float(opts["return_retry_timer_max"])))


class JobSettings(NamedTuple):
    """Settings of jobs: refresh of grains before each job, destinations of returns."""

    id: str
    cachedir: str = ""
    grains_refresh_pre_exec: bool = False
    pub_ret: bool = True
    cache_jobs: bool = False
    returners: str = ""

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> JobSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            id=str(opts["id"]),
            cachedir=str(opts["cachedir"]),
            grains_refresh_pre_exec=bool(opts.get("grains_refresh_pre_exec")),
            pub_ret=bool(opts.get("pub_ret", True)),
            cache_jobs=bool(opts.get("cache_jobs")),
            returners=str(opts.get("return") or ""),
        )


class StartupStateSettings(NamedTuple):
    """Settings of the states applied at the start.

    `startup_states` is `highstate`, `sls` (those in `sls_list`), `top` (with `top_file`), or '' for none.
    """

    startup_states: str = ""
    sls_list: Sequence[str] = ()
    top_file: str = ""
    ext_job_cache: str = ""

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> StartupStateSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            opts.get("startup_states") or "",
            opts.get("sls_list") or (),
            opts.get("top_file") or "",
            opts.get("ext_job_cache") or "",
        )


class OwnJobSettings(NamedTuple):
    """Settings of jobs that the minion starts itself."""

    id: str
    user: str
    startup: StartupStateSettings

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> OwnJobSettings:
        """Read these settings from the minion's `opts`."""
        return cls(opts["id"], opts["user"], StartupStateSettings.of(opts))


class PeriodicSettings(NamedTuple):
    """Settings of the periodic loops: intervals in minutes (0: off)."""

    grains_refresh_every: float
    mine_interval: float
    mine_return_job: bool
    ping_interval: float

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> PeriodicSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            float(opts.get("grains_refresh_every") or 0),
            float(opts.get("mine_interval") or 0) if opts.get("mine_enabled") else 0.0,
            bool(opts.get("mine_return_job")),
            float(opts.get("ping_interval") or 0),
        )


class BeaconRoundSettings(NamedTuple):
    """Settings of beacon rounds: beacons in the settings files, pause between two rounds."""

    id: str
    beacons: Any = None
    loop_interval: float = 1.0

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> BeaconRoundSettings:
        """Read these settings from the minion's `opts`."""
        return cls(str(opts["id"]), opts.get("beacons"), float(opts.get("loop_interval") or 1))


class MinionScheduleSettings(NamedTuple):
    """Settings of the schedule: jobs, pause between two checks, default returner, file for changes."""

    schedule: Any
    loop_interval: float
    schedule_returner: Any
    own_file: str

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> MinionScheduleSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            opts.get("schedule") or {},
            float(opts.get("loop_interval") or 1),
            opts.get("schedule_returner"),
            own_file(opts, SCHEDULE),
        )


class AutomationSettings(NamedTuple):
    """Settings of schedule, beacons and engines, and whether schedule and beacons start without a master."""

    schedule: MinionScheduleSettings
    beacons: BeaconRoundSettings
    engines: Any
    scheduler_before_connect: bool
    beacons_before_connect: bool

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> AutomationSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            MinionScheduleSettings.of(opts),
            BeaconRoundSettings.of(opts),
            opts.get("engines"),
            bool(opts.get("scheduler_before_connect")),
            bool(opts.get("beacons_before_connect")),
        )


class ResourceTimeouts(NamedTuple):
    """Time limits of jobs on resources, for a call and for a ping (0: no limit)."""

    resource_job_timeout: float
    resource_timeout: float

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> ResourceTimeouts:
        """Read these settings from the minion's `opts`."""
        return cls(float(opts["resource_job_timeout"]), float(opts["resource_timeout"]))


class DiscoverySettings(NamedTuple):
    """Settings of resource discovery: time limit of a call, number of parallel calls."""

    resource_timeout: float
    resource_fan_out: int

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> DiscoverySettings:
        """Read these settings from the minion's `opts`."""
        return cls(float(opts["resource_timeout"]), max(1, int(opts["resource_fan_out"])))


class MinionResourceSettings(NamedTuple):
    """Settings of a minion's resources, which are declared in pillar below `pillar_key`."""

    discovery: DiscoverySettings
    timeouts: ResourceTimeouts
    pillar_key: str = DEFAULT_KEY

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> MinionResourceSettings:
        """Read these settings from the minion's `opts`."""
        return cls(DiscoverySettings.of(opts), ResourceTimeouts.of(opts), key_of(opts))


class ConnectionSettings(NamedTuple):
    """Settings of the connection to a master; `is_filtered`: the master filters publications by topic."""

    masters: MasterListSettings
    session: SessionSettings
    channel: ChannelSettings
    start: StartSettings
    incoming_jobs: IncomingJobSettings
    resources: MinionResourceSettings
    is_filtered: bool

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> ConnectionSettings:
        """Read these settings from the minion's `opts`."""
        return cls(
            MasterListSettings.of(opts),
            SessionSettings.of(opts),
            ChannelSettings.of(opts),
            StartSettings.of(opts),
            IncomingJobSettings.of(opts),
            MinionResourceSettings.of(opts),
            bool(opts.get("zmq_filtering")),
        )
