"""Accounts at AWS for plugins: keys and region of a profile, and what is kept of them during a run.

Stock's `salt.utils.boto3mod` and `salt.utils.botomod` differ only in the library that connects.

Errors: InvocationError for a profile that is neither in the settings nor in pillar.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from salt_g import api
from salt_g.errors import InvocationError

log = logging.getLogger(__name__)

#: Region where neither the call nor a setting names one.
_REGION = "us-east-1"


class Account(NamedTuple):
    """Access key at a service in a region; without `keyid` the library looks for a key itself."""

    service: str
    region: str
    key: str | None
    keyid: str | None

    def label(self) -> str:
        """Return the name under which things of this account are kept."""
        secret = f"{self.region}{self.keyid}{self.key}".encode()
        mark = hashlib.md5(secret, usedforsecurity=False).hexdigest() if self.keyid else self.region
        return f"boto_{self.service}:{mark}"


def account(service: str, region: Any, key: Any, keyid: Any, profile: Any) -> Account:
    """Return the account that a profile, arguments, and settings as `ec2.region` describe, in this order."""
    if profile:
        about = _option(profile) if isinstance(profile, str) else profile
        if not isinstance(about, Mapping):
            raise InvocationError(f"profile {profile!r} is no mapping of 'region', 'key' and 'keyid'")
        region, key, keyid = (about.get(name) for name in ("region", "key", "keyid"))
    region = region or _option(f"{service}.region")
    if not region:
        log.info("no region for %s; taking %s", service, _REGION)
    key, keyid = key or _option(f"{service}.key"), keyid or _option(f"{service}.keyid")
    return Account(service, region or _REGION, key, keyid)


def kept_connection(account: Account, kind: str, connect: Callable[[Account], Any]) -> Any:
    """Return the connection of a kind to an account, the same one during a run."""
    entry = f"{account.label()}:{kind}"
    if entry not in api.scratch:
        api.scratch[entry] = connect(account)
    return api.scratch[entry]


def no_credentials(account: Account) -> InvocationError:
    """Return the error of an account for which the library finds no key."""
    return InvocationError(
        f"No authentication credentials found when attempting to make boto {account.service} connection"
        f' to region "{account.region}".'
    )


def keep_id(label: str, name: str, sub_resource: str | None, resource_id: Any, *, invalidate: bool) -> Any:
    """Keep, forget or return the id of a name; what stock's `cache_id` returns for each."""
    kept, entry = api.scratch, ":".join((label, *([sub_resource] if sub_resource else []), name, "id"))
    if invalidate:
        gone = [entry] if entry in kept else [each for each in kept if kept[each] == resource_id]
        for each in gone:
            del kept[each]
        return bool(gone)
    if resource_id:
        kept[entry] = resource_id
        return True
    return kept.get(entry)


def exactly_n(values: Iterable[Any], n: int = 1) -> bool:
    """Return whether exactly so many of the values are true."""
    return sum(map(bool, values)) == n


def exactly_one(values: Iterable[Any]) -> bool:
    """Return whether exactly one of the values is true."""
    return exactly_n(values)


def pages(function: Any, args: Any, kwargs: dict[str, Any], *, flag: str, argument: str) -> Iterator[Any]:
    """Yield the answers of a function until one has no marker of a next one."""
    marker = True
    while marker:
        answer = function(*args, **kwargs)
        marker = answer.get(flag)
        yield answer
        kwargs = {**kwargs, argument: marker}


def _option(name: str) -> Any:
    """Return a setting, or a value of pillar of this name."""
    for source in (api.opts, api.pillar.get("master") or {}, api.pillar):
        if name in source:
            return source[name]
    return None
