"""A user's state module that handles several states in one call, as `pkg` does."""


def installed(name, pkgs=None, fails=False, **kwargs):
    """Install what this run has not yet installed."""
    return _changed("installed", name, pkgs, fails)


def removed(name, pkgs=None, fails=False, **kwargs):
    """Remove what this run has not yet removed."""
    return _changed("removed", name, pkgs, fails)


def _changed(how, name, pkgs, fails):
    wanted = pkgs or [name]
    done = __context__.setdefault(f"{__name__.rpartition('.')[2]} {how}", [])  # noqa: F821
    new = [one for one in wanted if one not in done]
    ret = {"name": name, "changes": {}, "result": True, "comment": f"{how} before: {wanted}"}
    if fails:
        return {**ret, "result": False, "comment": f"not {how}: {wanted}"}
    if not new:
        return ret
    if __opts__["test"]:  # noqa: F821
        return {**ret, "result": None, "comment": f"would be {how}: {new}", "changes": {how: new}}
    done.extend(new)
    return {**ret, "comment": f"{how}: {new}", "changes": {how: new}}


def mod_watch(name, sfun=None, pkgs=None, __reqs__=None, **kwargs):
    """Report what is watched."""
    kinds = {
        str(getattr(kind, "value", kind)): sorted(low["__id__"] for low in lows)
        for kind, lows in (__reqs__ or {}).items()
    }
    comment = f"watched {sfun}: {kinds} {pkgs}"
    return {"name": name, "changes": {"watched": True}, "result": True, "comment": comment}


def mod_aggregate(low, chunks, running):
    """Join the packages of those chunks of the same function that have not run."""
    joined = []
    for chunk in chunks:
        tag = "_|-".join(str(chunk[key]) for key in ("state", "__id__", "name", "fun"))
        if tag not in running and chunk["fun"] == low["fun"] and (chunk is low or not chunk.get("__agg__")):
            joined.extend(chunk.get("pkgs") or [chunk["name"]])
            chunk["__agg__"] = True
    if joined:
        low["pkgs"] = [*low.get("pkgs", ()), *(one for one in joined if one not in low.get("pkgs", ()))]
    return low
