#!jinja|json
{"json": {"test": ["succeed_with_changes", {"name": "{{ sls }}"}]}}
