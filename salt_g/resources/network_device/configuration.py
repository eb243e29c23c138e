"""Configuration changes on a device: load, compare, commit or discard.

Whatever fails, no candidate configuration remains on the device unless `commit` is False.
Source: stock's `net.load_config`, including its texts.
"""

from __future__ import annotations

from salt_g.api import connection_functions, scratch
from salt_g.resources.network_device.answers import Answer, ask


def load(text: str, *, test: bool, commit: bool, debug: bool, replace: bool, revert_in: int | None) -> Answer:
    """Load a configuration, then commit or discard it, or leave it for a later commit.

    The return also has `diff`, `already_configured` and `loaded_config`, which is '' without `debug`.
    """
    method = "load_replace_candidate" if replace else "load_merge_candidate"
    loaded = ask(method, config=text)
    try:
        done = _decided(loaded, test=test, commit=commit, revert_in=revert_in)
    finally:
        if commit or test:
            # With neither, the candidate stays in the session for `net.commit`.
            connection_functions["network_device.release"]()
    done["loaded_config"] = text if debug else ""
    if not done["result"]:
        scratch["retcode"] = 1
    return done


def _decided(loaded: Answer, *, test: bool, commit: bool, revert_in: int | None) -> Answer:
    done: Answer = {"result": loaded["result"], "comment": loaded["comment"], "already_configured": False}
    compared = ask("compare_config")
    if not compared["result"]:
        discarded = _discard({**done, "result": False, "diff": None})
        return {**discarded, "comment": _joined(loaded["comment"], compared["comment"])}
    done["diff"] = compared["out"]
    if not loaded["result"] or test:
        done["already_configured"] = not done["diff"]
        return _discard(done, "Configuration discarded.")
    if not commit:
        return done
    if not done["diff"]:
        return _discard({**done, "already_configured": True}, "Already configured.")
    committed = ask("commit_config", revert_in=revert_in)
    if committed["result"]:
        return done
    return _discard({**done, "result": False, "comment": committed["comment"] or "Unable to commit."})


def _discard(done: Answer, said: str = "") -> Answer:
    discarded = ask("discard_config")
    if discarded["result"]:
        return {**done, "comment": _joined(done["comment"], said)}
    returned = discarded["comment"] or "Unable to discard config."
    return {**done, "result": False, "comment": _joined(done["comment"], returned)}


def _joined(*texts: str) -> str:
    return "\n".join(text for text in texts if text)
