"""Compiler of one minion's pillar.

Masterless minions and masters use the same compiler; each step has its own file.
Errors: collected under `_errors` with stock's texts; states refuse to run with them.
Source: stock docs "Pillar"; conformance area `pillar`.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import salt_g
from salt_g import api
from salt_g.data.pillar_errors import errors_of
from salt_g.match.matchers import MinionView, Resource
from salt_g.pillar.decrypt import decrypt_values
from salt_g.pillar.error_places import place_of
from salt_g.pillar.external import merge_external
from salt_g.pillar.merging import Merging
from salt_g.pillar.top import PillarTopReader, Tops, ignored_sls, matched_sls
from salt_g.pillar.tree import PillarRules, Tree
from salt_g.process import secret_hiding
from salt_g.shapes import Grains, Opts, PillarDict

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess, Rendering

log = logging.getLogger(__name__)

#: Key of `pillar_roots` for environments that are not listed there.
ANY_ENV = "__env__"


#: Factory of the access to files and rendering with the `pillar_roots` of the given settings.
Access = Callable[[Opts], "tuple[FileAccess, Rendering]"]


class SelectedEnvironments(NamedTuple):
    """A resource, and the top file targets that apply to it; see `resource_top.py`."""

    resource: Resource
    tops: Tops


class PillarCompiler:
    """Compiler of pillar for one minion; implements `services.protocols.PillarCompiler`.

    `extra_minion_data` is data that the minion sent for external pillars; `chosen` replaces the minion and
    the top files. With `marks_secrets`, the pillar contains marks that show its minion which values are
    secrets (`secret_hiding.MARKS`).

    Templates and external pillars run inside the running call. Their `pillar` is the result of an earlier
    pass, never a partial result of this one, except that the output of preceding external pillars is visible.
    """

    def __init__(
        self,
        opts: Opts,
        grains: Grains,
        access: Access,
        *,
        extra_minion_data: Mapping[str, Any] | None = None,
        chosen: SelectedEnvironments | None = None,
        marks_secrets: bool = False,
    ) -> None:
        self._marks_secrets = marks_secrets
        self._extra = extra_minion_data
        self._opts = opts
        self._grains = grains
        self._access = access
        self._chosen = chosen

    def compile(
        self,
        *,
        saltenv: str | None = None,
        pillarenv: str | None = None,
        override: Mapping[str, Any] | None = None,
        ext: Mapping[str, Any] | None = None,
        roots: Mapping[str, Sequence[str]] | None = None,
        earlier: Mapping[str, Any] | None = None,
    ) -> PillarDict:
        """Compile pillar; errors are stored under `_errors`.

        `pillarenv` limits pillar to one environment; `override` is merged last; `ext` is one more external
        pillar, if the settings allow it on demand; `roots` replace the configured roots and exclude external
        pillars; `earlier` is the `pillar` that templates see, by default the pillar of the running call.
        """
        compilation = self._compilation(saltenv, pillarenv, override, ext, roots, earlier)
        with secret_hiding.collecting() as noted:
            pillar = compilation.run()
        patterns = self._opts.get("pillar_secrets")
        if patterns or noted or secret_hiding.MARKS in pillar:
            self._hide_secrets(pillar, patterns, noted)
        return pillar

    def _hide_secrets(self, pillar: PillarDict, patterns: Any, noted: Mapping[str, Any]) -> None:
        """Hide the secrets of pillar from now on; with `marks_secrets`, mark them for the minion."""
        # Imported lazily: needed only for pillar with secrets.
        from salt_g.pillar.secret_paths import secrets_in

        # A minion's copy of its master's pillar may already contain marks.
        secret_hiding.learn_from(pillar)
        found = secrets_in(pillar, patterns, noted)
        secret_hiding.add(found)
        if found and self._marks_secrets:
            pillar[secret_hiding.MARKS] = found

    def top(self, saltenv: str | None = None, pillarenv: str | None = None) -> tuple[Tops, list[str]]:
        """Return the merged targets of all top files, and the errors in them."""
        return self._compilation(saltenv, pillarenv, earlier={}).top()

    def _compilation(
        self,
        saltenv: str | None,
        pillarenv: str | None = None,
        override: Mapping[str, Any] | None = None,
        ext: Mapping[str, Any] | None = None,
        roots: Mapping[str, Sequence[str]] | None = None,
        earlier: Mapping[str, Any] | None = None,
    ) -> _Compilation:
        saltenv = saltenv or self._opts.get("saltenv")
        if pillarenv is None and self._opts.get("pillarenv_from_saltenv"):
            pillarenv = saltenv
        opts = {**self._opts, "saltenv": saltenv, "pillarenv": pillarenv or self._opts.get("pillarenv")}
        if roots is not None:
            opts.update(pillar_roots=roots, ext_pillar=[])
        elif ext and _is_allowed_on_demand(ext, opts):
            opts["ext_pillar"] = [*(opts.get("ext_pillar") or []), ext]
        files, render = self._access(opts)
        visible = dict(api.current().pillar if earlier is None else earlier)
        return _Compilation(
            opts, self._grains, files, render, override or {}, visible, self._extra, self._chosen
        )


class _Compilation:
    """One pass of the compiler."""

    def __init__(
        self,
        opts: Opts,
        grains: Grains,
        files: FileAccess,
        render: Rendering,
        override: Mapping[str, Any],
        visible: PillarDict,
        extra_minion_data: Mapping[str, Any] | None,
        chosen: SelectedEnvironments | None,
    ) -> None:
        self._chosen = chosen
        self._opts = opts
        self._extra = extra_minion_data
        self._grains = grains
        self._files = files
        self._render = render
        self._override = override
        self._id = str(opts.get("id", ""))
        self._merging = Merging.from_opts(opts)
        self._envs = environments(opts)
        self._errors: list[str] = []
        self._top_paths: Sequence[str] = ()
        # Pillar that templates and matchers see during compilation.
        self._visible = visible

    def run(self) -> PillarDict:
        with api.use(self._inside()), _retcode_kept(api.current().scratch):
            tops, top_errors = self._tops()
            pillar = self._from_sources(tops)
            self._errors += top_errors
            return self._finished(pillar)

    def top(self) -> tuple[Tops, list[str]]:
        with api.use(self._inside()):
            return self._tops()

    def _inside(self) -> api.CallContext:
        # External pillars need plain values, as templates do, so nothing is masked for them.
        return api.current().replace(opts=self._opts, pillar=self._visible, in_template=True, reads=None)

    def _tops(self) -> tuple[Tops, list[str]]:
        if self._chosen is not None:
            return self._chosen.tops, []
        reader = PillarTopReader(
            self._files,
            lambda path, sls, saltenv: self._render_sls(path, sls, saltenv, {}),
            str(self._opts.get("state_top") or "top.sls"),
            self._place_of,
        )
        tops = reader.read(self._top_envs())
        self._top_paths = reader.paths
        return tops, reader.errors

    def _top_envs(self) -> Sequence[str]:
        """Return the environments whose top files are used."""
        pillarenv = self._opts.get("pillarenv")
        if pillarenv:
            return [env for env in self._envs if env == pillarenv]
        if self._merging.strategy == "none":
            return [env for env in self._envs if env == (self._opts.get("saltenv") or "base")]
        return self._envs

    def _from_sources(self, tops: Tops) -> PillarDict:
        if self._opts.get("ext_pillar_first"):
            external = self._external(dict(self._override))
            self._visible.update(external)
            return self._merging.merge(external, self._tree(tops))
        return self._external(self._tree(tops))

    def _external(self, pillar: PillarDict) -> PillarDict:
        wanted = self._opts.get("ext_pillar")
        if not wanted:
            return pillar
        if self._override:
            pillar = self._merging.merge(pillar, self._override)
        return merge_external(
            pillar,
            wanted,
            minion_id=self._id,
            merging=self._merging,
            errors=self._errors,
            excluded=self._opts.get("exclude_ext_pillar") or (),
            extra_minion_data=self._extra,
        )

    def _tree(self, tops: Tops) -> PillarDict:
        member = self._minion() if self._chosen is None else self._chosen.resource
        found = matched_sls(tops, member, self._errors, pillarenv=self._opts.get("pillarenv"))
        may_miss = ignored_sls(tops)
        pillar: PillarDict = {}
        for saltenv in in_env_order(found, self._opts.get("env_order") or ()):
            if saltenv not in self._envs:
                text = f"No matching pillar environment for environment '{saltenv}' found"
                self._errors += [text] * len(found[saltenv])
                continue
            tree = Tree(
                saltenv,
                files=self._files,
                render=self._render_sls,
                locate=self._place_of,
                rules=PillarRules.from_opts(self._opts),
                may_miss=may_miss.get(saltenv, ()),
                errors=self._errors,
                tops=self._top_paths,
            )
            pillar = tree.compile(found[saltenv], pillar)
        return pillar

    def _minion(self) -> MinionView:
        return MinionView(
            self._id,
            self._grains,
            self._visible,
            nodegroups=self._opts.get("nodegroups") or {},
            range_server=str(self._opts.get("range_server", "")),
        )

    def _render_sls(self, path: str, sls: str, saltenv: str, variables: Mapping[str, Any]) -> Any:
        return self._render.render_sls(path, sls=sls, saltenv=saltenv, tmplpath=path, **variables)

    def _place_of(
        self, exc: BaseException, path: str, sls: str, saltenv: str, variables: Mapping[str, Any]
    ) -> str:
        return place_of(exc, self._render, path, sls, saltenv, variables)

    def _finished(self, pillar: PillarDict) -> PillarDict:
        if self._opts.get("pillar_opts"):
            pillar["master"] = {**self._opts, "grains": dict(self._grains), "saltversion": salt_g.__version__}
        if self._errors:
            pillar["_errors"] = self._errors
        if self._override:
            pillar = self._merging.merge(pillar, self._override)
        errors = decrypt_values(pillar, self._opts, self._decrypt)
        if errors:
            pillar["_errors"] = [*errors_of(pillar), *errors]
        for error in errors_of(pillar):
            log.critical("pillar: %s", error)
        return pillar

    def _decrypt(self, text: str, renderer: str) -> Any:
        return self._render.render_text(text, pipe=renderer)


@contextlib.contextmanager
def _retcode_kept(scratch: MutableMapping[str, Any]) -> Iterator[None]:
    """Prevent commands of templates and external pillars from setting the exit code of the call."""
    before = scratch.get("retcode")
    try:
        yield
    finally:
        scratch.pop("retcode", None)
        if before is not None:
            scratch["retcode"] = before


def environments(opts: Opts) -> list[str]:
    """Return the pillar environments: `base`, then those of `pillar_roots` in their order."""
    roots = opts.get("pillar_roots") or {}
    current = opts.get("pillarenv") or opts.get("saltenv") or "base"
    names = ["base", *(current if name == ANY_ENV else name for name in roots)]
    return list(dict.fromkeys(names))


def in_env_order(found: Mapping[str, Any], env_order: Sequence[str]) -> list[str]:
    """Return the environments of `found`, with those of `env_order` first."""
    return list(dict.fromkeys([*(env for env in env_order if env in found), *found]))


def _is_allowed_on_demand(ext: Mapping[str, Any], opts: Opts) -> bool:
    allowed = opts.get("on_demand_ext_pillar") or ["libvirt", "virtkey"]
    refused = sorted(set(ext) - set(allowed))
    if refused:
        log.error(
            "external pillars %s are not allowed on demand; 'on_demand_ext_pillar' allows: %s",
            ", ".join(refused),
            ", ".join(allowed),
        )
    return not refused and not _names_signers(ext)


def _names_signers(ext: Mapping[str, Any]) -> bool:
    """Return whether a minion names the signers of a repository, which would apply to all minions."""
    listed = ext.get("git")
    items = [item for item in listed if isinstance(item, Mapping)] if isinstance(listed, list) else [listed]
    found = any(
        "verify" in option
        for item in items
        if isinstance(item, Mapping)
        for options in item.values()
        for option in (options if isinstance(options, list) else [options])
        if isinstance(option, Mapping)
    )
    if found:
        log.error("external pillar git on demand: the option verify is allowed only in the master's settings")
    return found
