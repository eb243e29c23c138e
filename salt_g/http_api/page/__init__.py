"""Web page of `salt-g api`: fleet, jobs, keys, resources and schedules in a browser.

`files.py` serves the files below `static/`: ES modules, a style sheet and vendored libraries, without a build
step. The page uses only /v1, with the rights of the user who is logged in.
"""
