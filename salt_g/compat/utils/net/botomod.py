"""Stock's `salt.utils.botomod` (`__utils__["boto.…"]`): connections to AWS with boto.

Errors: InvocationError if the library, credentials or a valid region are missing; exceptions of boto.
"""

import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from salt_g.compat.utils.net import _aws_accounts
from salt_g.compat.utils.net._aws_accounts import exactly_n, exactly_one
from salt_g.compat.utils.net.boto3mod import cache_id, cache_id_func
from salt_g.compat.utils.values.versions import check_boto_reqs
from salt_g.errors import InvocationError


def __virtual__() -> Any:
    """Return the name, or (False, reason) without the library, as stock does."""
    found = check_boto_reqs(check_boto3=False)
    return "boto" if found is True else found


def get_connection(
    service: str,
    module: str | None = None,
    region: Any = None,
    key: Any = None,
    keyid: Any = None,
    profile: Any = None,
) -> Any:
    """Return a boto connection, created once per run."""
    account = _aws_accounts.account(service, region, key, keyid, profile)
    return _aws_accounts.kept_connection(
        account, "conn", lambda account: _connection(account, str(module or service))
    )


def get_connection_func(service: str, module: str | None = None) -> Callable[..., Any]:
    """Return `get_connection` bound to a service."""
    return functools.partial(get_connection, service, module=module)


def get_error(e: BaseException) -> dict[str, Any]:
    """Return an error in the form that AWS modules report: a message and the server's own fields."""
    found = {name: getattr(e, name, None) for name in ("status", "reason", "message", "error_code")}
    about = {
        "code" if name == "error_code" else name: value
        for name, value in found.items()
        if value not in (None, "")
    }
    message = ": ".join(str(about[name]) for name in ("reason", "message") if name in about)
    return {"message": message, "aws": about} if about else {"message": message}


def assign_funcs(modname: str, service: str, module: str | None = None, pack: Any = None) -> None:
    """Define `_get_conn`, `_cache_id` and `_exactly_one` in a plugin, bound to its service."""
    plugin: Any = sys.modules[modname]
    plugin._get_conn = get_connection_func(service, module=module)
    plugin._cache_id = cache_id_func(service)
    plugin._exactly_one = exactly_one


def paged_call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Call a function that returns its result in pages; yield all pages."""
    flag, argument = kwargs.pop("marker_flag", "marker"), kwargs.pop("marker_arg", "marker")
    return _aws_accounts.pages(function, args, kwargs, flag=flag, argument=argument)


def _connection(account: _aws_accounts.Account, module: str) -> Any:
    try:
        errors, library = importlib.import_module("boto.exception"), importlib.import_module(f"boto.{module}")
    except ImportError as exc:
        raise InvocationError(f"a connection to {module} needs the library boto: {exc}") from exc
    try:
        made = library.connect_to_region(
            account.region, aws_access_key_id=account.keyid, aws_secret_access_key=account.key
        )
    except errors.NoAuthHandlerFound as exc:
        raise _aws_accounts.no_credentials(account) from exc
    if made is None:
        raise InvocationError(f'Region "{account.region}" is not valid.')
    return made


__all__ = ["assign_funcs", "cache_id", "cache_id_func", "exactly_n", "exactly_one", "get_connection"]
__all__ += ["get_connection_func", "get_error", "paged_call"]
