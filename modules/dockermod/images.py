"""Images: list, pull, build, load, tag, remove."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules.dockermod._engine import ask, engine

#: Length of displayed ids.
_SHORT = 12


def images(verbose: bool = False, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {id: image} of the engine's images; `all` includes intermediate layers.

    Example::

        salt-g docker.images
    """
    found = ask("images", all=bool(kwargs.get("all")))
    return {each["Id"]: {key: value for key, value in each.items() if key != "Id"} for each in found}


def list_tags() -> list[str]:
    """Return all tags, as `name:tag`.

    Example::

        salt-g docker.list_tags
    """
    tags = (tag for each in images().values() for tag in each.get("RepoTags") or [])
    return sorted({tag for tag in tags if tag != "<none>:<none>"})


def inspect_image(name: str) -> dict[str, Any]:
    """Return all details of an image.

    Example::

        salt-g docker.inspect_image debian:12
    """
    return dict(ask("inspect_image", name))


def resolve_image_id(name: str) -> Any:
    """Return the id of an image, or False if there is no such image.

    Example::

        salt-g docker.resolve_image_id debian:12
    """
    about = _about(name)
    return about["Id"] if about else False


def resolve_tag(name: str, **kwargs: Any) -> Any:
    """Return the full tag of an image, its id if it has no tag, or False if there is no such image.

    Example::

        salt-g docker.resolve_tag debian
    """
    about = _about(name)
    if not about:
        return False
    tags = about.get("RepoTags") or []
    full = name if ":" in name.rpartition("/")[2] else f"{name}:latest"
    return full if full in tags else tags[0] if tags else about["Id"]


def pull(
    image: str,
    insecure_registry: bool = False,
    api_response: bool = False,
    client_timeout: float | None = None,
) -> dict[str, Any]:
    """Pull an image by tag (default: `latest`) or digest; return `Layers`, `Status` and `Time_Elapsed` (s).

    `api_response` adds the engine's messages as `API_Response`. `insecure_registry` has no effect.

    Example::

        salt-g docker.pull debian:12
    """
    begun = time.monotonic()
    with engine(client_timeout) as connection:
        lines = list(connection.pull(image, stream=True, decode=True))
    result = _layers(lines)
    result["Time_Elapsed"] = time.monotonic() - begun
    return {**result, "API_Response": lines} if api_response else result


def build(
    path: str | None = None,
    repository: str | None = None,
    tag: str | None = None,
    cache: bool = True,
    rm: bool = True,
    api_response: bool = False,
    fileobj: Any = None,
    dockerfile: str | None = None,
    buildargs: Any = None,
) -> dict[str, Any]:
    """Build an image from a directory or URL with a Dockerfile; return `Id`, `Image`, `Time_Elapsed` (s).

    Example::

        salt-g docker.build /srv/app repository=app tag=1.0
    """
    name = f"{repository}:{tag or 'latest'}" if repository else None
    options = {
        "nocache": not cache,
        "rm": rm,
        "fileobj": fileobj,
        "dockerfile": dockerfile,
        "buildargs": buildargs,
    }
    begun = time.monotonic()
    with engine() as connection:
        lines = list(connection.build(path=path, tag=name, decode=True, **options))
    _raise_problem(lines)
    found = [str(line["aux"]["ID"]) for line in lines if "ID" in line.get("aux", {})]
    built = found[-1].removeprefix("sha256:") if found else _id_in(lines)
    result = {"Id": built[:_SHORT], "Image": name, "Time_Elapsed": time.monotonic() - begun}
    return {**result, "API_Response": lines} if api_response else result


def load(path: str, repository: str | None = None, tag: str | None = None) -> dict[str, Any]:
    """Load images from a file written by `docker save`; return its `Path` and the new ids as `Layers`.

    `path` can be a URL. With `repository`, a new image gets the tag `repository:tag` (default: `latest`),
    returned as `Image`.

    Example::

        salt-g docker.load /tmp/app.tar repository=app tag=1.0
    """
    from salt_g.api import call

    local = call("cp.cache_file", path) if "://" in path else path
    before = set(images())
    with open(local, "rb") as file, engine() as connection:
        _raise_problem(list(connection.load_image(file.read()) or []))
    new = sorted(set(images()) - before)
    if repository and new:
        tag_(new[0], repository, tag or "latest")
    return {
        "Path": path,
        "Layers": new,
        **({"Image": f"{repository}:{tag or 'latest'}"} if repository else {}),
    }


def tag_(name: str, repository: str, tag: str = "latest", force: bool = False) -> bool:
    """Give an image a further tag.

    Example::

        salt-g docker.tag 0123456789ab app 1.0
    """
    return bool(ask("tag", name, repository, tag=tag, force=force))


def rmi(*names: str, **kwargs: Any) -> dict[str, Any]:
    """Remove images; return the removed `Layers` and `Tags`, and any `Errors`.

    `force` also removes images in use, `prune=False` keeps untagged parents.

    Example::

        salt-g docker.rmi debian:12 force=True
    """
    layers, tags, errors = set(images()), set(list_tags()), []
    for name in names:
        try:
            ask("remove_image", name, force=kwargs.get("force", False), noprune=not kwargs.get("prune", True))
        except CommandExecutionError as exc:
            errors.append(str(exc))
    result: dict[str, Any] = {
        "Layers": sorted(layers - set(images())),
        "Tags": sorted(tags - set(list_tags())),
    }
    return {**result, "Errors": errors} if errors else result


def _about(name: str) -> dict[str, Any] | None:
    try:
        return inspect_image(name)
    except CommandExecutionError as exc:
        if str(exc).startswith("Error 404"):
            return None
        raise


def _layers(lines: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return {Layers: {result: ids}, Status} from the engine's progress lines; raise for an error in them."""
    _raise_problem(lines)
    layers: dict[str, list[str]] = {}
    result: dict[str, Any] = {"Layers": layers}
    words = {"Already exists": "Already_Pulled", "Pull complete": "Pulled"}
    for line in lines:
        status = str(line.get("status", ""))
        if status in words:
            layers.setdefault(words[status], []).append(str(line.get("id")))
        elif status.startswith("Status: "):
            result["Status"] = status.removeprefix("Status: ")
    return result


def _raise_problem(lines: Iterable[dict[str, Any]]) -> None:
    problems = [str(line["error"]) for line in lines if "error" in line]
    if problems:
        raise CommandExecutionError("; ".join(problems))


def _id_in(lines: Iterable[dict[str, Any]]) -> str:
    done = [
        str(line.get("stream", "")) for line in lines if "Successfully built" in str(line.get("stream", ""))
    ]
    return done[-1].split()[-1] if done else ""
