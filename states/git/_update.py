"""Bring a checkout that is there to the wanted revision.

Why its own file: it is the part that may lose something, so each step asks what is allowed
before it does anything; test mode tells from the same facts.
"""

from __future__ import annotations

import dataclasses

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.states.git._clone import NO_HEAD, start_of_branch, update_submodules, upstream_change
from salt_g.states.git._remote import Wanted
from salt_g.states.git._report import Report, reason, sentences, short
from salt_g.states.git._repository import Repository
from salt_g.states.git._urls import redacted, with_login
from salt_g.states.git._wish import Wish


@dataclasses.dataclass
class Local:
    """What the checkout is: commit and branch, all branches and tags, whether files were changed.

    `base` is the commit that the update starts from, on the wanted local branch, and
    `upstream` what that branch follows before anything is changed;
    `fast_forward` whether the wanted commit comes after it (None: not known before fetching).
    """

    revision: str | None
    branch: str | None
    branches: list[str]
    tags: set[str]
    is_changed: bool
    base: str | None = None
    base_branch: str | None = None
    upstream: str | None = None
    has_wanted: bool = False
    fast_forward: bool | None = None


def update(wish: Wish, wanted: Wanted, repository: Repository, report: Report) -> None:
    """Update the checkout; always ends by raising Ended (or CommandExecutionError)."""
    local = _look(wish, wanted, repository, report)
    is_there = wanted.is_at(local.revision)
    if local.is_changed and is_there:
        _end_unless_reset(wish, report)
    _look_for_wanted(wish, wanted, repository, local, report)
    _end_without_head_update(wish, wanted, local, report)
    if local.has_wanted and local.fast_forward is not False:
        local.fast_forward = _is_fast_forward(repository, local.base, wanted)
    if local.fast_forward is False and wish.force_reset is False:
        raise _not_fast_forward(wish, wanted, local, report)
    if wanted.sha1 is not None:
        _set_remote(wish, wanted, repository, local, report)
        if opts["test"]:
            _tell_test(wish, wanted, local, report)
        _advance(wish, wanted, repository, local, report)
    elif wish.bare:
        _fetch_bare(wish, repository, report)
    revision = repository.try_call("revision")
    if not wish.bare and not wanted.is_at(revision):
        raise report.failed("Failed to update repository")
    if revision == local.revision:
        raise report.as_wanted(wish.target)
    report.changes["revision"] = {"old": local.revision, "new": revision}
    raise report.done()


def _look(wish: Wish, wanted: Wanted, repository: Repository, report: Report) -> Local:
    revision = repository.try_call("revision")
    if not wish.bare and wanted.sha1 is None and revision is not None:
        raise report.failed(
            "Remote repository is empty, cannot update from a non-empty to an empty repository"
        )
    local = Local(
        revision=revision,
        branch=repository.try_call("current_branch"),
        branches=repository.call("list_branches"),
        tags=set(repository.call("list_tags")),
        is_changed=not wish.bare and bool(repository.try_call("diff", "HEAD")),
    )
    local.base, local.base_branch = revision, local.branch
    if _changes_branch(wish, local):
        local.base = wanted.sha1
        if wish.branch in local.branches:
            local.base_branch = wish.branch
            local.base = repository.call("rev_parse", f"{wish.branch}^{{commit}}")
    local.upstream = repository.upstream_of(local.base_branch)
    return local


def _changes_branch(wish: Wish, local: Local) -> bool:
    return wish.branch is not None and wish.branch != local.branch


def _end_unless_reset(wish: Wish, report: Report) -> None:
    if wish.force_reset is not True:
        raise report.as_wanted(wish.target, local_changes=True)
    if opts["test"]:
        report.changes["forced update"] = True
        raise report.end(
            None,
            f"{wish.target} is up-to-date, but with uncommitted changes. Since 'force_reset' is set to "
            "True, these local changes would be reset. To only reset when there are changes in the "
            "remote repository, set 'force_reset' to 'remote-changes'.",
        )


def _look_for_wanted(
    wish: Wish, wanted: Wanted, repository: Repository, local: Local, report: Report
) -> None:
    """Find out whether the wanted commit is here already, under its name too."""
    if local.is_changed and wish.force_reset != "remote-changes":
        local.fast_forward = False
    if wanted.kind == "sha1" and local.base is not None and local.base.startswith(str(wanted.sha1)):
        local.has_wanted = True
    elif wanted.sha1 is not None and repository.is_commit(wanted.sha1):
        if wanted.kind == "branch":
            local.has_wanted = repository.try_call("rev_parse", str(wanted.upstream)) == wanted.sha1
        elif wanted.kind == "tag":
            local.has_wanted = _has_tag(wish, wanted, repository, local, report)
        else:
            local.has_wanted = True


def _has_tag(wish: Wish, wanted: Wanted, repository: Repository, local: Local, report: Report) -> bool:
    if wish.rev not in local.tags:
        return False
    here = repository.try_call("rev_parse", f"{wish.rev}^{{commit}}")
    if here != wanted.sha1 and not wish.force_reset:
        raise report.failed(
            f"'{wish.rev}' is a tag, but the remote SHA1 for this tag ({short(wanted.sha1)}) doesn't match "
            f"the local SHA1 ({short(here)}). Set 'force_reset' to True to force this update."
        )
    return bool(here == wanted.sha1)


def _end_without_head_update(wish: Wish, wanted: Wanted, local: Local, report: Report) -> None:
    stays = not wish.update_head and wish.branch in (None, local.branch)
    if local.has_wanted and stays and not wanted.is_at(local.revision):
        place = str(wanted.place)
        raise report.end(
            True,
            f"{place.capitalize() if wish.rev == 'HEAD' else place} is already present and local HEAD "
            f"({short(local.revision)}) does not match, but update_head=False. HEAD has not been updated "
            "locally.",
        )


def _is_fast_forward(repository: Repository, base: str | None, wanted: Wanted) -> bool:
    if base is None:
        return True
    return bool(
        repository.call("merge_base", refs=[base, wanted.sha1], is_ancestor=True, ignore_retcode=True)
    )


def _not_fast_forward(wish: Wish, wanted: Wanted, local: Local, report: Report) -> Exception:
    pre, post = short(local.base), short(wanted.sha1)
    where = f"from {pre} to {post}" if local.is_changed and pre != post else f"to {post}"
    if _changes_branch(wish, local):
        where += f" (after checking out local branch '{wish.branch}')"
    why = "there are uncommitted changes" if local.is_changed else "this is not a fast-forward merge"
    also = " (or 'remote-changes')" if local.is_changed else ""
    loses = " and discard these changes" if local.is_changed else ""
    return report.failed(
        f"Repository would be updated {where}, but {why}. Set 'force_reset' to True{also} to force this "
        f"update{loses}.{_branch_hint(wish, wanted, local)}"
    )


def _branch_hint(wish: Wish, wanted: Wanted, local: Local) -> str:
    """Return what to do when the update fails only because another branch is checked out."""
    if wish.branch is not None:
        return ""
    if wish.rev != "HEAD" and local.branch != wish.rev:
        return (
            f" The desired rev ({wish.rev}) differs from the name of the local branch ({local.branch}), if "
            "the desired rev is a branch name then a forced update could possibly be avoided by setting the "
            f"'branch' argument to '{wish.rev}' instead."
        )
    default = wanted.default_branch
    if wish.rev == "HEAD" and default is not None and local.branch != default:
        return (
            f" The default remote branch ({default}) differs from the local branch ({local.branch}). This "
            "could be caused by changing the default remote branch, or if the local branch was manually "
            "changed. Rather than forcing an update, it may be advisable to set the 'branch' argument to "
            f"'{default}' instead. To ensure that this state follows the '{default}' branch instead of the "
            f"remote HEAD, set the 'rev' argument to '{default}'."
        )
    return ""


def _set_remote(wish: Wish, wanted: Wanted, repository: Repository, local: Local, report: Report) -> None:
    """Make the remote lead to where the state says."""
    now = repository.call("remotes", redact_auth=False).get(wish.remote, {}).get("fetch")
    url = with_login(wish.name, *wish.login)
    if url == now:
        return
    if opts["test"]:
        _tell_remote_test(wish, wanted, local, report, f"{redacted(now)} to {redacted(url)}")
    repository.set_remote(wish.remote, wish.name)
    if now is None:
        report.comments.append(f"Remote '{wish.remote}' set to {redacted(url)}")
        report.changes["new"] = f"{wish.name} => {wish.remote}"
    else:
        told = f"Remote '{wish.remote}' changed from {redacted(now)} to {redacted(url)}"
        report.comments.append(told)


def _merge_word(local: Local) -> str:
    return {False: "hard-reset", True: "fast-forwarded", None: "updated"}[local.fast_forward]


def _tell_remote_test(wish: Wish, wanted: Wanted, local: Local, report: Report, change: str) -> None:
    actions = [f"Remote '{wish.remote}' would be changed from {change}"]
    if not local.has_wanted:
        actions.append("Remote would be fetched")
    if not wanted.is_at(local.revision) and wish.update_head:
        report.changes["revision"] = {"old": local.revision, "new": wanted.sha1}
        if local.fast_forward is False:
            report.changes["forced update"] = True
        actions.append(f"Repository would be {_merge_word(local)} to {short(wanted.sha1)}")
    _end_test(wish, wanted, local, report, actions)


def _end_test(wish: Wish, wanted: Wanted, local: Local, report: Report, actions: list[str]) -> None:
    if report.changes:
        raise report.end(None, sentences(actions))
    if not wanted.is_at(local.revision) and not wish.update_head and actions:
        raise report.end(True, sentences(actions))
    raise report.as_wanted(wish.target, actions=actions)


def _tell_test(wish: Wish, wanted: Wanted, local: Local, report: Report) -> None:
    actions = [] if local.has_wanted else [f"Remote '{wish.remote}' would be fetched"]
    is_there = wanted.is_at(local.revision)
    if not is_there and (wish.update_head or _changes_branch(wish, local)):
        report.changes["revision"] = {"old": local.revision, "new": wanted.sha1}
    if _changes_branch(wish, local):
        actions += _branch_actions(wish, wanted, local)
    elif not is_there:
        actions.append(_head_action(wish, wanted, local))
    change = upstream_change(wanted, local.upstream)
    if change:
        actions.append(change[1].replace("was", "would be"))
    _end_test(wish, wanted, local, report, actions)


def _branch_actions(wish: Wish, wanted: Wanted, local: Local) -> list[str]:
    if wish.branch in local.branches:
        return [
            f"Branch '{wish.branch}' would be checked out and {_merge_word(local)} to {short(wanted.sha1)}"
        ]
    start = f"New branch '{wish.branch}' would be checked out, with {wanted.place} as a starting point"
    return [start, *([f"Tracking branch would be set to {wanted.upstream}"] if wanted.upstream else [])]


def _head_action(wish: Wish, wanted: Wanted, local: Local) -> str:
    if not wish.update_head:
        return (
            f"Local HEAD ({short(local.revision)}) does not match {wanted.place} but update_head=False, HEAD "
            "would not be updated locally"
        )
    word = "hard-reset" if wish.force_reset and local.has_wanted else "updated"
    word = "fast-forwarded" if local.fast_forward is True else word
    return f"Repository would be {word} from {short(local.revision)} to {short(wanted.sha1)}"


def _advance(wish: Wish, wanted: Wanted, repository: Repository, local: Local, report: Report) -> None:
    """Fetch what is missing, check out the branch and go to the wanted commit."""
    change = upstream_change(wanted, local.upstream)
    if change and local.branch is None:
        raise report.failed("Cannot set/unset upstream tracking branch. " + NO_HEAD)
    if _sync_tags(wish, repository, local, report) or not local.has_wanted:
        _fetch(wish, wanted, repository, local, report)
    if _changes_branch(wish, local):
        _check_out_branch(wish, wanted, repository, local, report)
    if local.fast_forward is False:
        repository.call("reset", opts=["--hard", wanted.sha1])
        report.changes["forced update"] = True
        if local.is_changed:
            report.comments.append("Uncommitted changes were discarded")
        report.comments.append(f"Repository was hard-reset to {wanted.place}")
    elif local.is_changed and wish.force_reset is not False:
        repository.call("discard_local_changes")
        report.comments.append("Uncommitted changes were discarded")
    if change:
        _change_upstream(wish, repository, local, report, *change)
    if local.fast_forward is True and not wanted.is_at(local.base):
        _fast_forward(wish, wanted, repository, report)
    if wish.submodules:
        update_submodules(repository, report)


def _change_upstream(
    wish: Wish, repository: Repository, local: Local, report: Report, options: list[str], comment: str
) -> None:
    """Make the branch follow what it should; a new one does so from its start."""
    if wish.branch is not None and wish.branch not in local.branches:
        return
    if options == ["--unset-upstream"] and repository.upstream_of(local.base_branch) is None:
        return
    repository.call("branch", opts=options)
    report.comments.append(comment)


def _sync_tags(wish: Wish, repository: Repository, local: Local, report: Report) -> bool:
    """Delete tags that the remote has no more; return whether there is anything to fetch or delete."""
    refs = repository.call_remote("ls_remote", remote=wish.remote, opts="--tags", ignore_retcode=True)
    there = {ref.removeprefix("refs/tags/") for ref in refs if "^{}" not in ref}
    if there - local.tags:
        report.changes["new_tags"] = sorted(there - local.tags)
    gone = sorted(local.tags - there) if wish.sync_tags else []
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


def _fetch(wish: Wish, wanted: Wanted, repository: Repository, local: Local, report: Report) -> None:
    if _fetch_from(wish, repository, report):
        report.comments.append(f"{wish.name} was fetched, resulting in updated refs")
    if not repository.is_commit(str(wanted.sha1)):
        raise report.failed(f"Fetch did not successfully retrieve rev '{wish.rev}' from {wish.name}")
    local.has_wanted = True
    _end_without_head_update(wish, wanted, local, report)
    local.fast_forward = _is_fast_forward(repository, local.base, wanted)
    if wish.force_reset is False and (not local.fast_forward or local.is_changed):
        raise _not_fast_forward(wish, wanted, local, report)


def _fetch_from(wish: Wish, repository: Repository, report: Report) -> bool:
    """Fetch from the remote; return whether anything was new."""
    try:
        options = {"remote": wish.remote, "force": wish.force_fetch, "refspecs": wish.refspecs}
        return bool(repository.call_remote("fetch", **options))
    except CommandExecutionError as exc:
        raise report.failed(
            "Fetch failed. Set 'force_fetch' to True to force the fetch if the failure was due to not being "
            f"able to fast-forward. Output of the fetch command follows:\n\n{reason(exc)}"
        ) from exc


def _check_out_branch(
    wish: Wish, wanted: Wanted, repository: Repository, local: Local, report: Report
) -> None:
    if local.is_changed and not wish.force_checkout:
        raise report.failed(
            f"Local branch '{local.branch}' has uncommitted changes. Set 'force_checkout' to True to discard "
            "them and proceed."
        )
    if wish.branch in local.branches:
        repository.call("checkout", wish.branch, force=wish.force_checkout)
        report.comments.append(f"'{wish.branch}' was checked out")
        return
    start = start_of_branch(wish, wanted)
    repository.call("checkout", start, force=wish.force_checkout, opts=["-b", wish.branch])
    report.comments.append(
        f"New branch '{wish.branch}' was checked out, with {wanted.place} as a starting point"
    )


def _fast_forward(wish: Wish, wanted: Wanted, repository: Repository, report: Report) -> None:
    if not wanted.upstream and wish.rev != "HEAD":
        repository.call("reset", opts=["--hard", wish.rev])
        report.comments.append(f"Repository was reset to {wish.rev} (fast-forward)")
        return
    if not repository.call("symbolic_ref", "HEAD", opts=["--quiet"], ignore_retcode=True):
        raise report.failed("Unable to fast-forward, HEAD is detached")
    repository.call("merge", rev=wanted.sha1, opts=["--ff-only"])
    report.comments.append(f"Repository was fast-forwarded to {wanted.place}")


def _fetch_bare(wish: Wish, repository: Repository, report: Report) -> None:
    if opts["test"]:
        told = f"Bare repository at {wish.target} would be fetched"
        raise report.as_wanted(wish.target, actions=[told])
    is_new = _fetch_from(wish, repository, report)
    found = ", resulting in updated refs" if is_new else ""
    report.comments.append(f"Bare repository at {wish.target} was fetched{found}")
