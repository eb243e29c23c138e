"""Update of an existing checkout to the wanted revision.

Updates can lose local work, so each step checks the permissions first; test mode (`_test_mode.py`) reports
from the same facts.
"""

from __future__ import annotations

import salt_g.states.git._test_mode as _test_mode
from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.states.git._clone import NO_LOCAL_HEAD, start_of_branch, update_submodules, upstream_change
from salt_g.states.git._local import Update, inspect_checkout
from salt_g.states.git._params import LatestParams
from salt_g.states.git._remote import Wanted
from salt_g.states.git._report import Report, reason, short
from salt_g.states.git._repository import Repository
from salt_g.states.git._urls import redacted, with_login


def update(args: LatestParams, wanted: Wanted, repository: Repository, report: Report) -> None:
    """Update the checkout; always ends by raising StateEnded (or CommandExecutionError)."""
    this = inspect_checkout(args, wanted, repository, report)
    local = this.local
    if local.is_changed and this.is_there:
        _end_unless_reset(this)
    _find_wanted(this)
    _end_without_head_update(this)
    if local.has_wanted and local.fast_forward is not False:
        local.fast_forward = _is_fast_forward(this)
    if local.fast_forward is False and args.force_reset is False:
        raise _not_fast_forward(this)
    if wanted.sha1 is not None:
        _set_remote(this)
        if opts["test"]:
            _test_mode.end(this)
        _advance(this)
    elif args.bare:
        _fetch_bare(this)
    revision = repository.try_call("revision")
    if not args.bare and not wanted.is_at(revision):
        raise report.failed("Failed to update repository")
    if revision == local.revision:
        raise report.as_wanted(args.target)
    report.changes["revision"] = {"old": local.revision, "new": revision}
    raise report.done()


def _end_unless_reset(this: Update) -> None:
    if this.args.force_reset is not True:
        raise this.report.as_wanted(this.args.target, local_changes=True)
    if opts["test"]:
        this.report.changes["forced update"] = True
        raise this.report.end(
            None,
            f"{this.args.target} is up-to-date, but with uncommitted changes. Since 'force_reset' is set to "
            "True, these local changes would be reset. To only reset when there are changes in the "
            "remote repository, set 'force_reset' to 'remote-changes'.",
        )


def _find_wanted(this: Update) -> None:
    """Determine whether the wanted commit exists locally and, for a branch or tag, under its name."""
    wanted, local = this.wanted, this.local
    if local.is_changed and this.args.force_reset != "remote-changes":
        local.fast_forward = False
    if wanted.kind == "sha1" and local.base is not None and local.base.startswith(str(wanted.sha1)):
        local.has_wanted = True
    elif wanted.sha1 is not None and this.repository.is_commit(wanted.sha1):
        if wanted.kind == "branch":
            upstream = this.repository.try_call("rev_parse", str(wanted.upstream))
            local.has_wanted = upstream == wanted.sha1
        elif wanted.kind == "tag":
            local.has_wanted = _has_tag(this)
        else:
            local.has_wanted = True


def _has_tag(this: Update) -> bool:
    rev, wanted = this.args.rev, this.wanted
    if rev not in this.local.tags:
        return False
    here = this.repository.try_call("rev_parse", f"{rev}^{{commit}}")
    if here != wanted.sha1 and not this.args.force_reset:
        raise this.report.failed(
            f"'{rev}' is a tag, but the remote SHA1 for this tag ({short(wanted.sha1)}) doesn't match "
            f"the local SHA1 ({short(here)}). Set 'force_reset' to True to force this update."
        )
    return bool(here == wanted.sha1)


def _end_without_head_update(this: Update) -> None:
    args, local = this.args, this.local
    stays = not args.update_head and not this.changes_branch
    if local.has_wanted and stays and not this.is_there:
        place = str(this.wanted.place)
        raise this.report.end(
            True,
            f"{place.capitalize() if args.rev == 'HEAD' else place} is already present and local HEAD "
            f"({short(local.revision)}) does not match, but update_head=False. HEAD has not been updated "
            "locally.",
        )


def _is_fast_forward(this: Update) -> bool:
    base = this.local.base
    if base is None:
        return True
    refs = [base, this.wanted.sha1]
    return bool(this.repository.call("merge_base", refs=refs, is_ancestor=True, ignore_retcode=True))


def _not_fast_forward(this: Update) -> Exception:
    local = this.local
    pre, post = short(local.base), short(this.wanted.sha1)
    where = f"from {pre} to {post}" if local.is_changed and pre != post else f"to {post}"
    if this.changes_branch:
        where += f" (after checking out local branch '{this.args.branch}')"
    why = "there are uncommitted changes" if local.is_changed else "this is not a fast-forward merge"
    also = " (or 'remote-changes')" if local.is_changed else ""
    loses = " and discard these changes" if local.is_changed else ""
    return this.report.failed(
        f"Repository would be updated {where}, but {why}. Set 'force_reset' to True{also} to force this "
        f"update{loses}.{_branch_hint(this)}"
    )


def _branch_hint(this: Update) -> str:
    """Return advice for an update that may fail only because another branch is checked out, else ''."""
    rev, branch = this.args.rev, this.local.branch
    if this.args.branch is not None:
        return ""
    if rev != "HEAD" and branch != rev:
        return (
            f" The desired rev ({rev}) differs from the name of the local branch ({branch}), if "
            "the desired rev is a branch name then a forced update could possibly be avoided by setting the "
            f"'branch' argument to '{rev}' instead."
        )
    default = this.wanted.default_branch
    if rev == "HEAD" and default is not None and branch != default:
        return (
            f" The default remote branch ({default}) differs from the local branch ({branch}). This "
            "could be caused by changing the default remote branch, or if the local branch was manually "
            "changed. Rather than forcing an update, it may be advisable to set the 'branch' argument to "
            f"'{default}' instead. To ensure that this state follows the '{default}' branch instead of the "
            f"remote HEAD, set the 'rev' argument to '{default}'."
        )
    return ""


def _set_remote(this: Update) -> None:
    """Set the URL of the remote."""
    args, report = this.args, this.report
    now = this.repository.call("remotes", redact_auth=False).get(args.remote, {}).get("fetch")
    url = with_login(args.name, *args.login)
    if url == now:
        return
    if opts["test"]:
        _test_mode.end_with_remote(this, f"{redacted(now)} to {redacted(url)}")
    this.repository.set_remote(args.remote, args.name)
    if now is None:
        report.comments.append(f"Remote '{args.remote}' set to {redacted(url)}")
        report.changes["new"] = f"{args.name} => {args.remote}"
    else:
        returned = f"Remote '{args.remote}' changed from {redacted(now)} to {redacted(url)}"
        report.comments.append(returned)


def _advance(this: Update) -> None:
    """Fetch missing commits, check out the branch and move to the wanted commit."""
    args, wanted, repository, local, report = this
    change = upstream_change(wanted, local.upstream)
    # A new branch gets its upstream at creation.
    if args.branch is not None and args.branch not in local.branches:
        change = None
    if change and local.branch is None:
        raise report.failed(NO_LOCAL_HEAD)
    if _sync_tags(this) or not local.has_wanted:
        _fetch(this)
    if this.changes_branch:
        _check_out_branch(this)
    if local.fast_forward is False:
        repository.call("reset", opts=["--hard", wanted.sha1])
        report.changes["forced update"] = True
        if local.is_changed:
            report.comments.append("Uncommitted changes were discarded")
        report.comments.append(f"Repository was hard-reset to {wanted.place}")
    elif local.is_changed and args.force_reset is not False:
        repository.call("discard_local_changes")
        report.comments.append("Uncommitted changes were discarded")
    if change:
        _change_upstream(this, *change)
    if local.fast_forward is True and not wanted.is_at(local.base):
        _fast_forward(this)
    if args.submodules:
        update_submodules(repository, report)


def _change_upstream(this: Update, options: list[str], comment: str) -> None:
    """Change the upstream of the branch."""
    local = this.local
    if options == ["--unset-upstream"] and this.repository.upstream_of(local.base_branch) is None:
        return
    this.repository.call("branch", opts=options)
    this.report.comments.append(comment)


def _sync_tags(this: Update) -> bool:
    """With `sync_tags`, delete tags that the remote no longer has; return whether the tags differed."""
    args, _, repository, local, report = this
    refs = repository.call_remote("ls_remote", remote=args.remote, opts="--tags", ignore_retcode=True)
    there = {ref.removeprefix("refs/tags/") for ref in refs if "^{}" not in ref}
    if there - local.tags:
        report.changes["new_tags"] = sorted(there - local.tags)
    gone = sorted(local.tags - there) if args.sync_tags else []
    deleted = []
    for tag in gone:
        try:
            repository.call("tag", tag, opts="-d")
            deleted.append(tag)
        except CommandExecutionError as exc:
            report.warnings.append(f"Failed to remove local tag '{tag}':\n\n{exc}\n\n")
    if deleted:
        report.changes["deleted_tags"] = deleted
        report.comments.append(
            f"The following tags were removed from the local checkout: {', '.join(deleted)}"
        )
    return there != local.tags


def _fetch(this: Update) -> None:
    args, wanted, repository, local, report = this
    if _fetch_from(this):
        report.comments.append(f"{args.name} was fetched, resulting in updated refs")
    if not repository.is_commit(str(wanted.sha1)):
        raise report.failed(f"Fetch did not successfully retrieve rev '{args.rev}' from {args.name}")
    local.has_wanted = True
    _end_without_head_update(this)
    local.fast_forward = _is_fast_forward(this)
    if args.force_reset is False and (not local.fast_forward or local.is_changed):
        raise _not_fast_forward(this)


def _fetch_from(this: Update) -> bool:
    """Fetch from the remote; return whether anything was new."""
    args = this.args
    try:
        options = {"remote": args.remote, "force": args.force_fetch, "refspecs": args.refspecs}
        return bool(this.repository.call_remote("fetch", **options))
    except CommandExecutionError as exc:
        raise this.report.failed(
            "Fetch failed. Set 'force_fetch' to True to force the fetch if the failure was due to not being "
            f"able to fast-forward. Output of the fetch command follows:\n\n{reason(exc)}"
        ) from exc


def _check_out_branch(this: Update) -> None:
    args, wanted, repository, local, report = this
    if local.is_changed and not args.force_checkout:
        raise report.failed(
            f"Local branch '{local.branch}' has uncommitted changes. Set 'force_checkout' to True to discard "
            "them and proceed."
        )
    if args.branch in local.branches:
        repository.call("checkout", args.branch, force=args.force_checkout)
        report.comments.append(f"'{args.branch}' was checked out")
        return
    start = start_of_branch(args, wanted)
    repository.call("checkout", start, force=args.force_checkout, opts=["-b", args.branch])
    report.comments.append(
        f"New branch '{args.branch}' was checked out, with {wanted.place} as a starting point"
    )


def _fast_forward(this: Update) -> None:
    args, wanted, repository, _, report = this
    if not wanted.upstream and args.rev != "HEAD":
        repository.call("reset", opts=["--hard", args.rev])
        report.comments.append(f"Repository was reset to {args.rev} (fast-forward)")
        return
    if not repository.call("symbolic_ref", "HEAD", opts=["--quiet"], ignore_retcode=True):
        raise report.failed("Unable to fast-forward, HEAD is detached")
    repository.call("merge", rev=wanted.sha1, opts=["--ff-only"])
    report.comments.append(f"Repository was fast-forwarded to {wanted.place}")


def _fetch_bare(this: Update) -> None:
    target, report = this.args.target, this.report
    if opts["test"]:
        returned = f"Bare repository at {target} would be fetched"
        raise report.as_wanted(target, actions=[returned])
    is_new = _fetch_from(this)
    found = ", resulting in updated refs" if is_new else ""
    report.comments.append(f"Bare repository at {target} was fetched{found}")
