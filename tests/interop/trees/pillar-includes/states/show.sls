show:
  file.managed:
    - name: {{ grains.sandbox }}/pillar
    - contents: |
        {{ pillar | json(sort_keys=True) }}
    - unless: {{ (not pillar.a) | lower }}
from-pillar:
  file.managed:
    - name: {{ grains.sandbox }}/a
    - contents_pillar: nested:here:colour
list-from-pillar:
  file.managed:
    - name: {{ grains.sandbox }}/list
    - contents_pillar: list
missing-pillar:
  file.managed:
    - name: {{ grains.sandbox }}/missing
    - contents_pillar: no:such
