{{ grains.sandbox }}/one:
  file.recurse:
    - source: salt://first
    - template: jinja
    - context: {word: rendered}
{{ grains.sandbox }}/merged:
  file.recurse:
    - source: [salt://first, salt://second]
    - merge: True
{{ grains.sandbox }}/unmerged:
  file.recurse:
    - source: [salt://nosuch, salt://second, salt://first]
{{ grains.sandbox }}/managed:
  file.managed:
    - source: salt://first/binary
    - template: jinja
