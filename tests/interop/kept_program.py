"""Runs of one Python program, each in a process forked from one that has already imported its modules.

    kept_program.py PROGRAM

Runs in the Python of the program. A request is a line of JSON, {"words": [...], "env": {...}, "cwd": path,
"out": path, "err": path}; the answer is a line with the exit code, negative for a signal. Only imports are
shared: whatever a run imports from this Python is imported before the next one is forked.
"""

import contextlib
import gc
import importlib
import json
import os
import runpy
import sys

#: Modules that stock's loader makes of plugins' files, also of users' own: each run loads its own.
LOADED = "salt.loaded"


def own_output():
    """Return a file for responses; all other output goes to standard error."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return replies


def become(request):
    """Take over the environment, the directory and the streams of a run."""
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    for number, path in ((1, request["out"]), (2, request["err"])):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - until the end of the process


def run(program, request, pipe):
    """Run the program to its end as its interpreter would, and report its imports."""
    before = set(sys.modules)
    become(request)
    sys.argv = [program, *request["words"]]
    try:
        runpy.run_path(program, run_name="__main__")
    finally:
        new = [name for name in sys.modules if name not in before and not name.startswith(LOADED)]
        with contextlib.suppress(BrokenPipeError), os.fdopen(pipe, "w") as events:
            events.write(json.dumps(new) + "\n")


def learn(names, tried):
    """Import what a run has imported, as far as it belongs to this Python."""
    for name in names:
        if name not in sys.modules and name not in tried:
            tried.add(name)
            with contextlib.suppress(BaseException):
                importlib.import_module(name)
    # Collections would copy the pages that runs share.
    gc.collect()
    gc.freeze()


def serve(program):
    """Answer requests until standard input ends; in a forked process, return after the run."""
    replies = own_output()
    # As for a program that Python starts.
    sys.path[0] = os.path.dirname(program)
    tried = set()
    while line := sys.stdin.readline():
        reading, writing = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reading)
            replies.close()
            run(program, json.loads(line), writing)
            return
        os.close(writing)
        with os.fdopen(reading) as events:
            # A line: what the run leaves running may hold the pipe open.
            text = events.readline()
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), file=replies, flush=True)
        learn(json.loads(text or "[]"), tried)


if __name__ == "__main__":
    serve(sys.argv[1])
