"""Executors: what may stand between a job and its function.

Each is one file with `execute(opts, data, func, args, kwargs)`: what it returns is the job's return, None
hands the job on to the next executor of `module_executors`. `allow_missing_func(name)` says that a
function need not be on this machine. `direct_call`, which calls the function, is part of the minion.
"""
