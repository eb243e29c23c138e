"""Views of the whole fleet for front ends: the overview of minions, their last state runs, jobs by page.

Begin with `overview.py`; `views.py` has the commands of front ends.
"""
