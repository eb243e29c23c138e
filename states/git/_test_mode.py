"""Test mode reports of an update; each function ends the state by raising StateEnded."""

from __future__ import annotations

from salt_g.states.git._clone import upstream_change
from salt_g.states.git._local import Update
from salt_g.states.git._report import sentences, short


def end_with_remote(update: Update, change: str) -> None:
    """Report a remote whose URL would change (`change`), and the resulting actions."""
    args, wanted, local = update.args, update.wanted, update.local
    actions = [f"Remote '{args.remote}' would be changed from {change}"]
    if not local.has_wanted:
        actions.append("Remote would be fetched")
    if not update.is_there and args.update_head:
        update.report.changes["revision"] = {"old": local.revision, "new": wanted.sha1}
        if local.fast_forward is False:
            update.report.changes["forced update"] = True
        actions.append(f"Repository would be {_merge_word(update)} to {short(wanted.sha1)}")
    _end(update, actions)


def end(update: Update) -> None:
    """Report everything that would be done."""
    args, wanted, local = update.args, update.wanted, update.local
    actions = [] if local.has_wanted else [f"Remote '{args.remote}' would be fetched"]
    if not update.is_there and (args.update_head or update.changes_branch):
        update.report.changes["revision"] = {"old": local.revision, "new": wanted.sha1}
    if update.changes_branch:
        actions += _branch_actions(update)
    elif not update.is_there:
        actions.append(_head_action(update))
    change = upstream_change(wanted, local.upstream)
    if change:
        actions.append(change[1].replace("was", "would be"))
    _end(update, actions)


def _end(update: Update, actions: list[str]) -> None:
    report = update.report
    if report.changes:
        raise report.end(None, sentences(actions))
    if not update.is_there and not update.args.update_head and actions:
        raise report.end(True, sentences(actions))
    raise report.as_wanted(update.args.target, actions=actions)


def _branch_actions(update: Update) -> list[str]:
    branch, wanted = update.args.branch, update.wanted
    if branch in update.local.branches:
        merged = f"{_merge_word(update)} to {short(wanted.sha1)}"
        return [f"Branch '{branch}' would be checked out and {merged}"]
    start = f"New branch '{branch}' would be checked out, with {wanted.place} as a starting point"
    return [start, *([f"Tracking branch would be set to {wanted.upstream}"] if wanted.upstream else [])]


def _head_action(update: Update) -> str:
    local, wanted = update.local, update.wanted
    if not update.args.update_head:
        return (
            f"Local HEAD ({short(local.revision)}) does not match {wanted.place} but update_head=False, HEAD "
            "would not be updated locally"
        )
    word = "hard-reset" if update.args.force_reset and local.has_wanted else "updated"
    word = "fast-forwarded" if local.fast_forward is True else word
    return f"Repository would be {word} from {short(local.revision)} to {short(wanted.sha1)}"


def _merge_word(update: Update) -> str:
    return {False: "hard-reset", True: "fast-forwarded", None: "updated"}[update.local.fast_forward]
