include: [{base: glob}]
prod in {{ saltenv }}:
  file.managed:
    - name: {{ grains.sandbox }}/prod
    - source: salt://text
    - require: [{sls: glob}]
from base:
  file.managed:
    - name: {{ grains.sandbox }}/base
    - source: salt://text?saltenv=base
