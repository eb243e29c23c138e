"""Embedded store: the persistent data of a daemon.

One SQLite file per daemon in `cachedir`, written by one native thread that commits in groups. Begin with
`store.py` (open, write, read, close); `jobs.py` and `banks.py` are the interfaces for other packages;
`commit_thread.py` is the thread, `database.py` the file and its failures; `futures.py`, `thread_futures.py`
and `green_futures.py` report committed writes to callers; `stock_files.py` leaves copies of loads for stock's
command line.
Code above this package must not assume one process or one file: it requests a value, or submits one and
waits for a future.
"""
