"""Jobs of a minion: started, run, ended, returned.

Begin with `running_jobs.py`; `return_sender.py` delivers the returns.
"""
