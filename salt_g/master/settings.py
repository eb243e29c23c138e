"""Settings of the master's parts: each part gets a record of what it reads, and no other setting.

Parts that run plugins are the exception: they hand all settings on, as `opts`.
Units: seconds, bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.resource_model.pillar_settings import key_of
from salt_g.shapes import Opts


class AuthenticationSettings(NamedTuple):
    """Settings of sign-ins; `max_minions` 0 is no limit."""

    max_minions: int = 0
    auth_events: bool = False
    auth_events_pend_autosign_grains: bool = False

    @classmethod
    def of(cls, opts: Opts) -> AuthenticationSettings:
        """Return the settings of a master."""
        return cls(*(opts[name] for name in cls._fields))


class RequestSettings(NamedTuple):
    """Settings of encrypted requests: oldest protocol, longest age of a request."""

    minimum_auth_version: int
    request_server_ttl: float

    @classmethod
    def of(cls, opts: Opts) -> RequestSettings:
        """Return the settings of a master."""
        return cls(int(opts["minimum_auth_version"]), float(opts["request_server_ttl"]))


class PublicationSettings(NamedTuple):
    """Settings of publications: signature, topics, masters below this one."""

    sign_pub_messages: bool
    publish_signing_algorithm: str
    zmq_filtering: bool
    order_masters: bool

    @classmethod
    def of(cls, opts: Opts) -> PublicationSettings:
        """Return the settings of a master."""
        return cls(
            bool(opts["sign_pub_messages"]),
            opts["publish_signing_algorithm"],
            bool(opts["zmq_filtering"]),
            bool(opts["order_masters"]),
        )


class TargetSettings(NamedTuple):
    """Settings of targets: {name: target} of nodegroups, address of a range server."""

    nodegroups: Mapping[str, Any]
    range_server: str = ""

    @classmethod
    def of(cls, opts: Opts) -> TargetSettings:
        """Return the settings of a master."""
        return cls(opts["nodegroups"] or {}, str(opts["range_server"]))


class ReturnSettings(NamedTuple):
    """Settings of returns signed by minions: whether they must be, whether a wrong one is dropped."""

    require_minion_sign_messages: bool = False
    drop_messages_signature_fail: bool = False

    @classmethod
    def of(cls, opts: Opts) -> ReturnSettings:
        """Return the settings of a master."""
        return cls(*(bool(opts[name]) for name in cls._fields))


class PeerSettings(NamedTuple):
    """Settings of calls by minions; `keep_jobs_seconds` 0 is for ever."""

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


class ResourceSettings(NamedTuple):
    """Settings of resources; `pillar_key` is that under which minions' pillar declares them."""

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
    def of(cls, opts: Opts) -> ResourceSettings:
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
    """Settings of the mine: whether it is kept, permissions to read it (None: all)."""

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
    """Settings of cached pillar: whether it is cached, in memory or on disk, for how long."""

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


class ScheduleSettings(NamedTuple):
    """Settings of scheduled runners: the jobs, the user that they run as."""

    schedule: Mapping[str, Any]
    user: str

    @classmethod
    def of(cls, opts: Mapping[str, Any]) -> ScheduleSettings:
        """Return the settings of a master."""
        return cls(opts.get("schedule") or {}, str(opts.get("user") or "root"))
