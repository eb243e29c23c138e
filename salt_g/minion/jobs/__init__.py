"""Jobs of a minion, from their start to the delivery of their returns.

Begin with `running_jobs.py`; `return_sender.py` delivers the returns.
"""
