"""AWS accounts for plugins: keys and region from a profile, and data cached per account during a run.

Stock's `salt.utils.boto3mod` and `salt.utils.botomod` differ only in the library that makes the connection.

Errors: InvocationError for a profile that is neither in the settings nor in pillar.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from salt_g import api
from salt_g.errors import InvocationError

log = logging.getLogger(__name__)

#: Region if neither the call nor a setting names one.
_REGION = "us-east-1"


class Account(NamedTuple):
    """Service, region and access key; without `keyid`, the library searches for a key itself."""

    service: str
    region: str
    key: str | None
    keyid: str | None

    def label(self) -> str:
        """Return the name under which data about this account is cached."""
        secret = f"{self.region}{self.keyid}{self.key}".encode()
        mark = hashlib.md5(secret, usedforsecurity=False).hexdigest() if self.keyid else self.region
        return f"boto_{self.service}:{mark}"


def account(service: str, region: Any, key: Any, keyid: Any, profile: Any) -> Account:
    """Return the account from a profile or the arguments, completed from settings like `ec2.region`."""
    if profile:
        about = _option(profile) if isinstance(profile, str) else profile
        if not isinstance(about, Mapping):
            raise InvocationError(f"profile {profile!r} is not a mapping of 'region', 'key' and 'keyid'")
        region, key, keyid = (about.get(name) for name in ("region", "key", "keyid"))
    region = region or _option(f"{service}.region")
    if not region:
        log.info("no region is set for %s; using %s", service, _REGION)
    key, keyid = key or _option(f"{service}.key"), keyid or _option(f"{service}.keyid")
    return Account(service, region or _REGION, key, keyid)


def kept_connection(account: Account, kind: str, connect: Callable[[Account], Any]) -> Any:
    """Return the connection of this kind to an account, created once per run."""
    entry = f"{account.label()}:{kind}"
    if entry not in api.scratch:
        api.scratch[entry] = connect(account)
    return api.scratch[entry]


def no_credentials(account: Account) -> InvocationError:
    """Return the error for an account without credentials."""
    return InvocationError(
        f"No authentication credentials found when attempting to make boto {account.service} connection"
        f' to region "{account.region}".'
    )


def keep_id(label: str, name: str, sub_resource: str | None, resource_id: Any, *, invalidate: bool) -> Any:
    """Cache, forget or look up the id of a name; the result is that of stock's `cache_id`."""
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
    """Return whether exactly `n` of the values are true."""
    return sum(map(bool, values)) == n


def exactly_one(values: Iterable[Any]) -> bool:
    """Return whether exactly one of the values is true."""
    return exactly_n(values)


def pages(function: Any, args: Any, kwargs: dict[str, Any], *, flag: str, argument: str) -> Iterator[Any]:
    """Call a function page by page; yield its answers until one has no marker for the next page."""
    marker = True
    while marker:
        answer = function(*args, **kwargs)
        marker = answer.get(flag)
        yield answer
        kwargs = {**kwargs, argument: marker}


def _option(name: str) -> Any:
    """Return the value of this name from the settings or pillar, or None."""
    for source in (api.opts, api.pillar.get("master") or {}, api.pillar):
        if name in source:
            return source[name]
    return None
