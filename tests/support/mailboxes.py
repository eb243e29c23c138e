"""What tests do with the mailbox of a real master."""

import json
import pathlib

from support.commands import outcome_of
from support.daemons import PROGRAM


def mailbox(master, *words):
    """Run `salt-g mailbox`; return its Outcome."""
    return outcome_of([PROGRAM, "mailbox", *words, "-c", str(master.config_dir)])


def orders(master):
    """Return the orders, None while the master does not answer."""
    listed = mailbox(master, "list", "--out=json")
    return json.loads(listed.out or "[]") if listed.code == 0 else None


def append(salt, master, file, word, *more, target="m1"):
    """Order a command that leaves a line for each time it runs."""
    return salt(
        master, target, "cmd.run", f"echo {word} >> {file}", "--when-back", "1h", *more, as_json=False
    )


def lines(file):
    """Return what such commands have left."""
    return pathlib.Path(file).read_text().split() if pathlib.Path(file).exists() else []
