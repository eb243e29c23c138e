"""Packages, users and services of a machine as a JSON file: real states change them, root is not needed."""

import json

#: What there may be.
PACKAGES, USERS, SERVICES = ("alpha", "beta"), ("ann", "ben"), ("one", "two")

_COMMON = """\
import json, os

def _read():
    with open(__opts__["stand_ins"]) as file:
        return json.load(file)

def _change(kind, name, value):
    found = _read()
    if value is None:
        found[kind].pop(name, None)
    else:
        found[kind][name] = value
    path = __opts__["stand_ins"]
    with open(path + ".new", "w") as file:
        json.dump(found, file)
    os.rename(path + ".new", path)
    return True
"""
_PKG = """
__virtualname__ = "pkg"

def __virtual__():
    return __virtualname__

def list_pkgs(versions_as_list=False, **more):
    found = _read()["pkg"]
    return {name: [version] for name, version in found.items()} if versions_as_list else found

def version(*names, **more):
    found = [_read()["pkg"].get(name, "") for name in names]
    return found[0] if len(found) == 1 else dict(zip(names, found))

def latest_version(*names, **more):
    found = {name: "" if _read()["pkg"].get(name) == "2" else "2" for name in names}
    return found[names[0]] if len(names) == 1 else found

def refresh_db(**more):
    return True

def install(name=None, pkgs=None, **more):
    before = _read()["pkg"]
    for one in pkgs or [name]:
        _change("pkg", one if isinstance(one, str) else next(iter(one)), "2")
    return {one: {"old": before.get(one, ""), "new": "2"} for one in _read()["pkg"] if before.get(one) != "2"}

def remove(name=None, pkgs=None, **more):
    before = _read()["pkg"]
    for one in pkgs or [name]:
        _change("pkg", one, None)
    return {one: {"old": old, "new": ""} for one, old in before.items() if one not in _read()["pkg"]}
"""
_USER = """
__virtualname__ = "user"

def __virtual__():
    return __virtualname__

def info(name, **more):
    shell = _read()["user"].get(name)
    if shell is None:
        return {}
    return {"name": name, "uid": 4001, "gid": 0, "groups": [], "home": "/nowhere", "shell": shell,
            "passwd": "x", "fullname": "", "roomnumber": "", "workphone": "", "homephone": "", "other": ""}

def add(name, shell=None, **more):
    return _change("user", name, shell or "/bin/sh")

def chshell(name, shell, **more):
    return _change("user", name, shell)

def delete(name, *more, **others):
    return _change("user", name, None)
"""
_SERVICE = """
__virtualname__ = "service"

def __virtual__():
    return __virtualname__

def offline():
    return False

def get_all():
    return sorted(_read()["service"])

def available(name):
    return name in _read()["service"]

def status(name, sig=None):
    return _read()["service"][name]["running"]

def enabled(name, **more):
    return _read()["service"][name]["enabled"]

def disabled(name, **more):
    return not enabled(name)

def _set(name, **values):
    return _change("service", name, {**_read()["service"][name], **values})

def start(name):
    return _set(name, running=True)

def stop(name):
    return _set(name, running=False)

def restart(name):
    return _set(name, running=True)

def enable(name, **more):
    return _set(name, enabled=True)

def disable(name, **more):
    return _set(name, enabled=False)
"""
#: Files of the state tree that `saltutil.sync_modules` brings.
MODULES = {
    "_modules/night_pkg.py": _COMMON + _PKG,
    "_modules/night_user.py": _COMMON + _USER,
    "_modules/night_service.py": _COMMON + _SERVICE,
}


class StandIns:
    """Fake packages, users and services of a machine, in a file."""

    def __init__(self, path, rng):
        self.path = path
        self._rng = rng
        self.write(
            {
                "pkg": {name: rng.choice("12") for name in PACKAGES if rng.random() < 0.5},
                "user": {name: rng.choice(["/bin/sh", "/bin/bash"]) for name in USERS if rng.random() < 0.5},
                "service": {
                    name: {"running": rng.random() < 0.5, "enabled": rng.random() < 0.5} for name in SERVICES
                },
            }
        )

    def read(self):
        """Return {kind: {name: value}}."""
        return json.loads(self.path.read_text())

    def write(self, found):
        """Replace everything."""
        self.path.write_text(json.dumps(found))

    def states(self):
        """Return random states for what `alter` changes."""
        return {
            "package": {
                self._rng.choice(["pkg.installed", "pkg.latest", "pkg.removed"]): [{"name": "alpha"}]
            },
            "user": {"user.present": [{"name": "ann"}, {"shell": "/bin/bash"}, {"createhome": False}]},
            "service": {
                self._rng.choice(["service.running", "service.dead"]): [
                    {"name": "one"},
                    {"enable": self._rng.random() < 0.5},
                ]
            },
        }

    def alter(self, kind):
        """Change the objects of the states of `kind`, so that these would have other changes."""
        found = self.read()
        if kind == "package":
            if not found["pkg"].pop("alpha", None):
                found["pkg"]["alpha"] = "2"
        elif kind == "user":
            found["user"]["ann"] = "/bin/sh" if found["user"].get("ann") == "/bin/bash" else "/bin/bash"
        else:
            found["service"]["one"]["running"] ^= True
        self.write(found)
