"""Settings of the master's parts: each part gets a record of the settings that it reads.

Parts that run plugins are the exception, because they pass all settings on, as `opts`.
Units: seconds, bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.cache.jobs import Retention
from salt_g.net import event_bus_addresses
from salt_g.net.event_bus_addresses import EventBusAddresses
from salt_g.resource_model.pillar_settings import key_of
from salt_g.shapes import Opts
from salt_g.wire.auth_server import FEATURES


class MasterIdentitySettings(NamedTuple):
    """Settings of the master's key pair, and of the signing key that certifies it."""

    id: str
    pki_dir: str
    keysize: int
    key_pass: str | None
    signing_key_pass: str | None
    master_sign_pubkey: bool
    master_sign_key_name: str
    master_use_pubkey_signature: bool
    master_pubkey_signature: str | None

    @classmethod
    def of(cls, opts: Opts) -> MasterIdentitySettings:
        """Return the settings of a master."""
        return cls(*(opts[name] for name in cls._fields))


class AuthenticationSettings(NamedTuple):
    """Settings of sign-ins; `max_minions` 0 sets no limit, `offers` are features for minions of salt-g.

    `events_with_grains` are the results whose event includes the grains of the sign-in.
    """

    max_minions: int = 0
    auth_events: bool = False
    events_with_grains: frozenset[str] = frozenset()
    offers: Sequence[str] = FEATURES

    @classmethod
    def of(cls, opts: Opts) -> AuthenticationSettings:
        """Return the settings of a master."""
        wanted = (("digests", opts["history"]), ("read_sets", opts["impact"]))
        offers = (*FEATURES, *(name for name, is_wanted in wanted if is_wanted))
        with_grains = {str(act) for act in opts.get("auth_events_autosign_grains") or ()}
        if opts["auth_events_pend_autosign_grains"]:
            with_grains.add("pend")
        return cls(opts["max_minions"], opts["auth_events"], frozenset(with_grains), offers)


class RequestSettings(NamedTuple):
    """Settings of encrypted requests: oldest protocol, longest age of a request."""

    minimum_auth_version: int
    request_server_ttl: float

    @classmethod
    def of(cls, opts: Opts) -> RequestSettings:
        """Return the settings of a master."""
        return cls(int(opts["minimum_auth_version"]), float(opts["request_server_ttl"]))


class PublicationSettings(NamedTuple):
    """Settings of publications: signature, topics, whether syndics receive jobs, paths of secret pillar."""

    sign_pub_messages: bool
    publish_signing_algorithm: str
    zmq_filtering: bool
    order_masters: bool
    pillar_secrets: Sequence[str] = ()

    @classmethod
    def of(cls, opts: Opts) -> PublicationSettings:
        """Return the settings of a master."""
        return cls(
            bool(opts["sign_pub_messages"]),
            opts["publish_signing_algorithm"],
            bool(opts["zmq_filtering"]),
            bool(opts["order_masters"]),
            opts.get("pillar_secrets") or [],
        )


class TargetSettings(NamedTuple):
    """Settings of targets: {name: target} of nodegroups, address of a range server."""

    nodegroups: Mapping[str, Any]
    range_server: str = ""

    @classmethod
    def of(cls, opts: Opts) -> TargetSettings:
        """Return the settings of a master."""
        return cls(opts["nodegroups"] or {}, str(opts["range_server"]))


class EventSocketSettings(NamedTuple):
    """Settings of the event bus sockets; with `is_open`, local users may read events of their own jobs."""

    sock_dir: str
    addresses: EventBusAddresses
    is_tcp: bool
    is_open: bool
    event_bus_release: int

    @classmethod
    def of(cls, opts: Opts) -> EventSocketSettings:
        """Return the settings of a master."""
        return cls(
            opts["sock_dir"],
            event_bus_addresses.of_master(opts),
            event_bus_addresses.is_tcp(opts),
            bool(opts["publisher_acl"] or opts["external_auth"]),
            opts["event_bus_release"],
        )


class AuthorizationSettings(NamedTuple):
    """Settings of permissions; `ext_job_cache` is the returner that all jobs may name."""

    publisher_acl: Mapping[str, Any]
    publisher_acl_blacklist: Mapping[str, Any]
    sudo_acl: bool
    nodegroups: Mapping[str, Any]
    ext_job_cache: str = ""

    @classmethod
    def of(cls, opts: Opts) -> AuthorizationSettings:
        """Return the settings of a master."""
        return cls(
            opts["publisher_acl"],
            opts["publisher_acl_blacklist"] or {},
            bool(opts["sudo_acl"]),
            opts["nodegroups"] or {},
            str(opts.get("ext_job_cache") or ""),
        )


class ReturnSettings(NamedTuple):
    """Settings of signatures of returns: whether they are required, whether a wrong one drops the return."""

    require_minion_sign_messages: bool = False
    drop_messages_signature_fail: bool = False

    @classmethod
    def of(cls, opts: Opts) -> ReturnSettings:
        """Return the settings of a master."""
        return cls(*(bool(opts[name]) for name in cls._fields))


class PeerSettings(NamedTuple):
    """Settings of calls by minions; `keep_jobs_seconds` 0 means no expiry."""

    user: str
    peer: Any
    peer_run: Any
    publisher_acl_blacklist: Mapping[str, Any]
    ext_job_cache: str
    keep_jobs_seconds: float
    nodegroups: Mapping[str, Any]

    @classmethod
    def of(cls, opts: Opts) -> PeerSettings:
        """Return the settings of a master."""
        return cls(
            opts["user"],
            opts.get("peer"),
            opts.get("peer_run"),
            opts["publisher_acl_blacklist"] or {},
            str(opts.get("ext_job_cache") or ""),
            float(opts["keep_jobs_seconds"]),
            opts["nodegroups"] or {},
        )


class MasterResourceSettings(NamedTuple):
    """Settings of resources; `pillar_key` is the pillar key that declares them."""

    id: str
    nodegroups: Mapping[str, Any]
    resource_managers: str
    resource_lease: float
    resource_acl: Any
    resources_max_per_minion: int
    minion_data_cache: bool
    minion_data_cache_events: bool
    pillar_key: str

    @classmethod
    def of(cls, opts: Opts) -> MasterResourceSettings:
        """Return the settings of a master."""
        return cls(
            str(opts["id"]),
            opts["nodegroups"] or {},
            opts["resource_managers"],
            float(opts["resource_lease"]),
            opts.get("resource_acl"),
            opts["resources_max_per_minion"],
            bool(opts["minion_data_cache"]),
            bool(opts["minion_data_cache_events"]),
            key_of(opts),
        )

    @property
    def is_shared(self) -> bool:
        """Whether several minions may manage a resource at once."""
        return self.resource_managers == "all"


class MineSettings(NamedTuple):
    """Settings of the mine: whether it is kept, permissions to read it (None permits all)."""

    is_kept: bool
    mine_get: Any
    nodegroups: Mapping[str, Any]

    @classmethod
    def of(cls, opts: Opts) -> MineSettings:
        """Return the settings of a master."""
        is_kept = bool(opts.get("minion_data_cache") or opts.get("enforce_mine_cache"))
        return cls(is_kept, opts.get("mine_get"), opts.get("nodegroups") or {})


class UploadSettings(NamedTuple):
    """Settings of pushed files: largest file, largest sum of a minion's files (0: no limit)."""

    file_recv: bool
    max_bytes: int
    max_total_bytes: int
    cachedir: str

    @classmethod
    def of(cls, opts: Opts) -> UploadSettings:
        """Return the settings of a master."""
        return cls(
            bool(opts.get("file_recv")),
            int(opts.get("file_recv_max_size") or 100) << 20,
            int(opts.get("file_recv_max_total") or 0) << 20,
            str(opts["cachedir"]),
        )


class PillarCacheSettings(NamedTuple):
    """Settings of the pillar cache: whether it is used, its backend (memory or disk), its lifetime."""

    pillar_cache: bool
    is_in_memory: bool
    pillar_cache_ttl: float

    @classmethod
    def of(cls, opts: Opts) -> PillarCacheSettings:
        """Return the settings of a master."""
        return cls(
            bool(opts.get("pillar_cache")),
            opts.get("pillar_cache_backend") == "memory",
            float(opts.get("pillar_cache_ttl") or 3600),
        )


class FileUpdateSettings(NamedTuple):
    """Settings of file server updates: events about changes, interval between comparisons of `file_roots`."""

    fileserver_events: bool = False
    roots_update_interval: float = 60.0

    @classmethod
    def of(cls, opts: Opts) -> FileUpdateSettings:
        """Return the settings of a master."""
        return cls(bool(opts.get("fileserver_events")), float(opts.get("roots_update_interval") or 60))


class MaintenanceSettings(NamedTuple):
    """Settings of the maintenance tasks; with `stats_interval` 0, no statistics are fired."""

    loop_interval: float
    presence_events: bool
    retention: Retention
    updates: FileUpdateSettings
    stats_interval: float = 0.0

    @classmethod
    def of(cls, opts: Opts) -> MaintenanceSettings:
        """Return the settings of a master."""
        return cls(
            float(opts["loop_interval"] or 60),
            bool(opts.get("presence_events")),
            Retention.of(opts),
            FileUpdateSettings.of(opts),
            max(1.0, float(opts["master_stats_event_iter"])) if opts.get("master_stats") else 0.0,
        )


class ReactorSettings(NamedTuple):
    """Settings of the reactor: reactions, number of workers, maximum number of waiting calls."""

    id: str
    user: str
    reactor: Any
    reactor_worker_threads: int = 10
    reactor_worker_hwm: int = 10000

    @classmethod
    def of(cls, opts: Opts) -> ReactorSettings:
        """Return the settings of a master."""
        return cls(
            str(opts.get("id", "")),
            str(opts.get("user") or "root"),
            opts.get("reactor") or [],
            int(opts.get("reactor_worker_threads") or 10),
            int(opts.get("reactor_worker_hwm") or 10000),
        )


class EventReturnSettings(NamedTuple):
    """Settings of events for returners: names of returners, filters of events, size and age of a batch."""

    event_return: Any
    event_return_whitelist: Sequence[str]
    event_return_blacklist: Sequence[str]
    event_return_queue: int
    event_return_queue_max_seconds: float

    @classmethod
    def of(cls, opts: Opts) -> EventReturnSettings:
        """Return the settings of a master."""
        return cls(
            opts.get("event_return"),
            list(opts.get("event_return_whitelist") or ()),
            list(opts.get("event_return_blacklist") or ()),
            int(opts.get("event_return_queue") or 0),
            float(opts.get("event_return_queue_max_seconds") or 0),
        )


class JobCacheSettings(NamedTuple):
    """Settings of external job caches: the names of returners, '' for none."""

    master_job_cache: str
    ext_job_cache: str

    @classmethod
    def of(cls, opts: Opts) -> JobCacheSettings:
        """Return the settings of a master."""
        return cls(str(opts.get("master_job_cache") or ""), str(opts.get("ext_job_cache") or ""))


class ScheduleSettings(NamedTuple):
    """Settings of scheduled runners: the jobs, the user that they run as."""

    schedule: Mapping[str, Any]
    user: str

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> ScheduleSettings:
        """Return the settings of a master."""
        return cls(opts.get("schedule") or {}, str(opts.get("user") or "root"))
