"""The embedded store: what a daemon must still know after a restart.

One SQLite file per daemon in `cachedir`, written by one native thread that commits in groups.
Begin with `store.py` (open, write, read, close); `jobs.py` and `banks.py` are what others
use; `writer.py` is the thread, `database.py` the file and its accidents, `waiting.py` and
`green_futures.py` how a write tells its caller that it is on disk; `stock_files.py` leaves copies of
loads for stock's command line. Nothing above this package may assume one process or one file:
it asks for a value, or hands one over and waits for a future.
"""
