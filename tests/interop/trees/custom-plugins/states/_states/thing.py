"""A user's state."""


def made(name, size=1, **kwargs):
    """Make a thing."""
    ret = {"name": name, "changes": {}, "result": True, "comment": ""}
    if __opts__["test"]:
        ret["result"] = None
        ret["comment"] = f"{name} would be made"
        return ret
    ret["changes"] = {"size": size, "sum": __salt__["mine_ops.add"](size, 1), "env": __env__}
    ret["comment"] = [f"made by {__grains__['id']}", f"{sorted(k for k in kwargs if not k.startswith('_'))}"]
    ret["warnings"] = ["mind the gap"]
    return ret


def strict(name, size):
    return {"name": name, "changes": {}, "result": __states__["test.nop"](name)["result"], "comment": str(size)}


def raises(name):
    raise ValueError("inside")


def mod_watch(name, sfun=None, **kwargs):
    return {"name": name, "changes": {"woken": sfun}, "result": True, "comment": str(sorted(k for k in kwargs if k[0] != "_"))}


def sees(name):
    """Return what a state can read of its run."""
    chunks = [f"{low['state']}.{low['fun']} {low['__id__']}" for low in __lowstate__]
    seen = {"chunks": chunks, "ran": sorted(__running__), "low": __low__["__id__"], "run": __instance_id__ != ""}
    return {"name": name, "changes": {}, "result": True, "comment": str(seen)}
