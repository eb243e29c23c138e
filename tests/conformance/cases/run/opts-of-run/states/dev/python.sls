#!py
def run():
    seen = [__opts__[key] for key in ("test", "saltenv", "pillarenv")]
    return {f"{seen} {saltenv}": {"test": ["nop"]}}
