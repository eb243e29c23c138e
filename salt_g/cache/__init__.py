"""Store of a daemon's persistent data.

The default is one SQLite file per daemon in `cachedir`; a master can use PostgreSQL (`postgres/`). One native
thread writes and commits in groups. Begin with `store.py` (open, write, read, close); `jobs.py` and
`banks.py` are the interfaces for other packages; `commit_thread.py` is the thread, `database.py` the
interface of a database; `futures.py`, `thread_futures.py` and `green_futures.py` report committed writes to
callers; `stock_files.py` writes copies of loads for stock's command line.
Code above this package must not assume one process or one file: it requests a value, or submits one and
waits for a future.
"""
