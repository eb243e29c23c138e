def settings():
    return [__opts__.get(name, "missing") for name in ("test", "saltenv", "pillarenv")]
