"""Views of the whole fleet for front ends: overview of the minions, their last state runs, pages of jobs.

Begin with `overview.py`; `views.py` has the commands of front ends.
"""
