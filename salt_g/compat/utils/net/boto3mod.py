"""Stock's `salt.utils.boto3mod` (`__utils__["boto3.…"]`): connections to AWS with boto3.

Errors: InvocationError if the library or credentials are missing; exceptions of boto3.
"""

import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from salt_g.compat.utils.net import _aws_accounts
from salt_g.compat.utils.net._aws_accounts import exactly_n, exactly_one
from salt_g.compat.utils.values.versions import check_boto_reqs
from salt_g.errors import InvocationError


def __virtual__() -> Any:
    """Return the name, or (False, reason) without the libraries, as stock does."""
    found = check_boto_reqs()
    return "boto3" if found is True else found


def cache_id(
    service: str,
    name: str,
    sub_resource: str | None = None,
    resource_id: str | None = None,
    invalidate: bool = False,
    region: Any = None,
    key: Any = None,
    keyid: Any = None,
    profile: Any = None,
) -> Any:
    """Cache the id of a name during the run, forget it, or return it."""
    label = _aws_accounts.account(service, region, key, keyid, profile).label()
    return _aws_accounts.keep_id(label, name, sub_resource, resource_id, invalidate=invalidate)


def cache_id_func(service: str) -> Callable[..., Any]:
    """Return `cache_id` bound to a service."""
    return functools.partial(cache_id, service)


def get_connection(
    service: str,
    module: str | None = None,
    region: Any = None,
    key: Any = None,
    keyid: Any = None,
    profile: Any = None,
) -> Any:
    """Return a boto3 client, created once per run."""
    account = _aws_accounts.account(service, region, key, keyid, profile)
    return _aws_accounts.kept_connection(
        account, "conn3", lambda account: _client(account, module or service)
    )


def get_connection_func(service: str, module: str | None = None) -> Callable[..., Any]:
    """Return `get_connection` bound to a service."""
    return functools.partial(get_connection, service, module=module)


def get_region(service: str, region: Any, profile: Any) -> str:
    """Return the region that arguments, profile and settings select."""
    return _aws_accounts.account(service, region, None, None, profile).region


def get_error(e: BaseException) -> dict[str, Any]:
    """Return an error in the form that AWS modules report."""
    return {"message": e.args[0]}


def assign_funcs(
    modname: str,
    service: str,
    module: str | None = None,
    get_conn_funcname: str = "_get_conn",
    cache_id_funcname: str = "_cache_id",
    exactly_one_funcname: str | None = "_exactly_one",
) -> None:
    """Define in a plugin the functions bound to its service, under these names."""
    plugin = sys.modules[modname]
    setattr(plugin, get_conn_funcname, get_connection_func(service, module=module))
    setattr(plugin, cache_id_funcname, cache_id_func(service))
    if exactly_one_funcname is not None:
        setattr(plugin, exactly_one_funcname, exactly_one)


def paged_call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Call a function that returns its result in pages; yield all pages."""
    flag, argument = kwargs.pop("marker_flag", "NextMarker"), kwargs.pop("marker_arg", "Marker")
    return _aws_accounts.pages(function, args, kwargs, flag=flag, argument=argument)


def ordered(obj: Any) -> Any:
    """Return JSON data with its lists sorted."""
    if isinstance(obj, list | tuple):
        return sorted(map(ordered, obj))
    return {key: ordered(obj[key]) for key in obj} if isinstance(obj, dict) else obj


def json_objs_equal(left: Any, right: Any) -> bool:
    """Return whether two JSON values are equal, ignoring the order of lists."""
    return bool(ordered(left) == ordered(right))


def _client(account: _aws_accounts.Account, module: str) -> Any:
    try:
        session, errors = (
            importlib.import_module("boto3.session"),
            importlib.import_module("botocore.exceptions"),
        )
    except ImportError as exc:
        raise InvocationError(f"a connection to {module} needs the library boto3: {exc}") from exc
    try:
        return session.Session(
            aws_access_key_id=account.keyid, aws_secret_access_key=account.key, region_name=account.region
        ).client(module)
    except errors.NoCredentialsError as exc:
        raise _aws_accounts.no_credentials(account) from exc


__all__ = ["assign_funcs", "cache_id", "cache_id_func", "exactly_n", "exactly_one", "get_connection"]
__all__ += ["get_connection_func", "get_error", "get_region", "json_objs_equal", "ordered", "paged_call"]
