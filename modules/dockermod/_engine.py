"""Requests to the Docker engine, through the library `docker` (extra `docker`).

The settings `docker.url`, `docker.version` and `docker.timeout` (s) define the connection; without them the
environment variables `DOCKER_HOST`, … apply.

Errors: CommandExecutionError, `Error 404: No such container: web`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError

#: Default time limit for an answer in seconds, without the setting `docker.timeout`.
TIMEOUT = 60


@contextlib.contextmanager
def engine(timeout: float | None = None) -> Iterator[Any]:
    """Open a connection for a block; raise CommandExecutionError for all errors of the library."""
    import docker  # Imported lazily: slow, and part of the extra `docker`.
    from docker.errors import APIError, DockerException
    from requests.exceptions import RequestException  # docker reaches the engine through it

    try:
        connection = docker.APIClient(**_settings(docker, timeout))
    except DockerException as exc:
        raise CommandExecutionError(
            f"no Docker engine answers ({exc}); is it installed and running, and is 'docker.url' right?"
        ) from exc
    try:
        yield connection
    except APIError as exc:
        code = exc.status_code if exc.status_code is not None else "?"
        raise CommandExecutionError(f"Error {code}: {exc.explanation or exc}") from exc
    except (DockerException, RequestException) as exc:
        raise CommandExecutionError(f"Docker: {exc}") from exc
    finally:
        connection.close()


def ask(method: str, *args: Any, timeout: float | None = None, **kwargs: Any) -> Any:
    """Call one method of the connection and return its result."""
    with engine(timeout) as connection:
        return getattr(connection, method)(*args, **kwargs)


def _settings(docker: Any, timeout: float | None) -> dict[str, Any]:
    settings: dict[str, Any] = docker.utils.kwargs_from_env()
    url = call("config.get", "docker.url")
    if url:
        settings["base_url"] = url
    settings["version"] = call("config.get", "docker.version") or "auto"
    settings["timeout"] = timeout or call("config.get", "docker.timeout") or TIMEOUT
    return settings
