"""Docker images: pulled, built, loaded or absent."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._docker import is_missing, offered
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return offered()


@takes_any
def present(
    name: str,
    tag: Any = None,
    build: str | None = None,
    load: str | None = None,
    force: bool = False,
    insecure_registry: bool = False,
    client_timeout: float | None = None,
    dockerfile: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that an image exists: pulled, built from a directory (`build`) or loaded from a file (`load`).

    `build` and `load` need a `tag`; `dockerfile` is the path of the Dockerfile in the directory. `force`
    pulls, builds or loads an existing image again. `client_timeout` is the limit for pulling, in seconds.

    Example::

        salt-g state.single docker_image.present debian tag=12
    """
    if problem := _problem(tag, build, load, has_sls="sls" in kwargs):
        return failed(name, problem)
    full = f"{name}:{tag}" if tag else str(name)
    action = "built" if build else "loaded" if load else "pulled"
    try:
        before = _found(full)
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    if before and not force:
        return as_wanted(name, f"Image {full} already present")
    if opts["test"]:
        return would_change(name, f"Image {full} will be {action}")
    try:
        if build:
            returned = call("docker.build", build, repository=name, tag=str(tag), dockerfile=dockerfile)
        elif load:
            returned = call("docker.load", path=load, repository=name, tag=str(tag))
        else:
            returned = call(
                "docker.pull", full, insecure_registry=insecure_registry, client_timeout=client_timeout
            )
        after = _found(full)
    except (CommandExecutionError, OSError) as exc:
        what = {"built": f"building {build} as {full}", "loaded": f"loading {load} as {full}"}
        return failed(name, f"Encountered error {what.get(action, f'pulling {full}')}: {exc}")
    if after and before and after["Id"] == before["Id"]:
        return as_wanted(name, f"Image '{full}' was {action}, but there were no changes")
    return changed(name, f"Image '{full}' was {action}", returned)


def _problem(tag: Any, build: str | None, load: str | None, *, has_sls: bool) -> str:
    """Return the problem with the sources of an image, or '' if there is none."""
    sources = [each for each in (build, load) if each is not None]
    if has_sls:
        return "building an image from SLS is not supported; build one with a Dockerfile"
    if len(sources) > 1:
        return "Only one of 'build', 'load', or 'sls' is permitted."
    if sources and not tag:
        return "The 'tag' argument is required if any one of 'build', 'load', or 'sls' is used."
    return ""


def absent(name: str | None = None, images: Any = None, force: bool = False) -> StateReturn:
    """Ensure that an image (or all of `images`) does not exist.

    Example::

        salt-g state.single docker_image.absent debian:12
    """
    title = str(name or "")
    targets = list(images) if images is not None else [name] if name else []
    if not targets:
        return failed(title, "One of 'name' and 'images' must be provided")
    try:
        found = [tag for tag in (call("docker.resolve_tag", target) for target in targets) if tag]
        if not found:
            one = len(targets) == 1
            return as_wanted(
                title, f"Image {name} is not present" if one else "All specified images are not present"
            )
        listed = found[0] if len(found) == 1 else ", ".join(found)
        if opts["test"]:
            many = f"The following images will be removed: {listed}"
            return would_change(title, f"Image {listed} will be removed" if len(found) == 1 else many)
        returned = call("docker.rmi", *found, force=force)
        left = [tag for tag in found if tag in call("docker.list_tags")]
    except CommandExecutionError as exc:
        return failed(title, str(exc))
    return _removed(title, found, left, listed, returned)


def mod_watch(name: str, sfun: str | None = None, **kwargs: Any) -> StateReturn:
    """Pull, build or load an image again because a watched state has changed.

    Example::

        salt-g state.single docker_image.mod_watch debian:12 sfun=present
    """
    if sfun == "present":
        return present(name, **{**kwargs, "force": True})
    return failed(name, f"watch requisite is not implemented for {sfun}")


def _removed(
    name: str, found: list[str], left: list[str], listed: str, returned: dict[str, Any]
) -> StateReturn:
    if not left:
        many = f"The following images were removed: {listed}"
        return changed(name, f"Image {listed} was removed" if len(found) == 1 else many, returned)
    if len(left) < len(found):
        return failed(name, f"The following image(s) failed to be removed: {', '.join(left)}", returned)
    errors = "; ".join(returned.get("Errors", []))
    reason = f". The following errors were encountered: {errors}" if errors else ""
    return outcome(name, False, f"None of the specified images were removed{reason}")


def _found(image: str) -> dict[str, Any] | None:
    try:
        about: dict[str, Any] = call("docker.inspect_image", image)
    except CommandExecutionError as exc:
        if is_missing(exc):
            return None
        raise
    return about
