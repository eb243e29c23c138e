"""Admission of minions: sign-in, keys and the owners of minions' data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from salt_g.keys.policy import AutoSettings, Policy
from salt_g.keys.store import KeyStore
from salt_g.master.admission.authentication import Authentication
from salt_g.master.admission.minion_key_revocation import KeyRevocation
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.composition.served_data import Serving
from salt_g.master.composition.targeting import Targeting
from salt_g.master.serving.minion_data_owner import MinionDataOwners
from salt_g.master.serving.uploads import forget_pushed
from salt_g.master.settings import AuthenticationSettings
from salt_g.shapes import Opts
from salt_g.wire.auth_server import MasterIdentity

if TYPE_CHECKING:
    from salt_g.master.cluster.cluster import Cluster
    from salt_g.master.cluster.missed_jobs import MissedJobs


@dataclass(frozen=True)
class Admission:
    """Owners of minions' data, key store with callbacks on key changes, and handler of sign-ins."""

    owners: MinionDataOwners
    keys: KeyStore
    authentication: Authentication


def compose_admission(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    publishing: Publishing,
    serving: Serving,
    targeting: Targeting,
    missed: MissedJobs | None,
    identity: MasterIdentity,
    cluster: Cluster | None = None,
) -> Admission:
    """Create the parts that accept and revoke minions."""
    forget = partial(_forget, opts, network, publishing, serving, targeting)
    owners = MinionDataOwners(persistence.banks, forget=forget)
    revocation = KeyRevocation(
        network.bus,
        publishing.table,
        on_end=publishing.revocation.on_end,
        forget=owners.end,
        leave=owners.leave,
    )
    keys = _key_store(persistence, publishing, revocation, cluster)
    authentication = Authentication(
        AuthenticationSettings.of(opts),
        identity=identity,
        keys=keys,
        policy=Policy(AutoSettings.of(opts)),
        sessions=publishing.sessions,
        publish_keys=publishing.keys,
        bus=network.bus,
        connected=publishing.presence.connected,
        why_reserved=targeting.resources.registration.why_reserved,
        claim=owners.claim,
        on_let_in=partial(_note_sign_in, network, publishing, missed),
        on_pending=publishing.newcomers.note_pending,
    )
    return Admission(owners=owners, keys=keys, authentication=authentication)


def _forget(
    opts: Opts, network: NetworkParts, publishing: Publishing, serving: Serving, targeting: Targeting, id: str
) -> None:
    """Drop everything known about a minion whose key was removed."""
    network.topics.forget(id)
    serving.minion_data.forget(id)
    targeting.registration.forget(id)
    serving.pillar_cache.forget(id)
    forget_pushed(opts["cachedir"], id)
    publishing.listeners.forget(id)


def _key_store(
    persistence: Persistence, publishing: Publishing, revocation: KeyRevocation, cluster: Cluster | None
) -> KeyStore:
    if cluster is None:
        return KeyStore(persistence.key_files, on_change=revocation.on_change)
    on_change = partial(cluster.on_change, revocation.on_change, publishing.revocation.revoke)
    return KeyStore(
        persistence.key_files,
        on_change=on_change,
        settle=cluster.settle,
        invitations=cluster.invitations,
    )


def _note_sign_in(network: NetworkParts, publishing: Publishing, missed: MissedJobs | None, id: str) -> None:
    """Allow an accepted minion its topic, and notify the parts that wait for its sign-in."""
    network.topics.allow((id,))
    publishing.rotation.signed_in(id)
    publishing.barrier.note_sign_in(id)
    publishing.newcomers.note_sign_in(id)
    publishing.listeners.signed_in(id)
    if missed is not None:
        missed.note_sign_in(id)
