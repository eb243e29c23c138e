other environment:
  file.patch:
    - name: {{ grains.sandbox }}/f
    - source: salt://nope.patch
    - saltenv: prod
named in the url:
  file.patch:
    - name: {{ grains.sandbox }}/f
    - source: salt://nope.patch?saltenv=prod
