def settings(name):
    seen = [__opts__.get(key) for key in ("test", "saltenv", "pillarenv")]
    return {"name": name, "result": True, "changes": {}, "comment": f"{seen} {__salt__['seen.settings']()}"}
