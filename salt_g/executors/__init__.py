"""Executors: optional steps between a job and its function.

Each is one file with `execute(opts, data, func, args, kwargs)`: its return value is the job's return;
None passes the job to the next executor of `module_executors`. `allow_missing_func(name)` returns
whether a function may be missing on this machine. `direct_call`, which calls the function, is part of
the minion.
"""
