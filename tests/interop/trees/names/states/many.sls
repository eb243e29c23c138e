{% set d = grains.sandbox %}
dirs:
  file.directory:
    - names:
      - {{ d }}/a
      - {{ d }}/b:
        - mode: 700
      - {{ d }}/c
      - {{ d }}/a
    - mode: 755
files:
  file.managed:
    - names:
{%- for n in ['x', 'y'] %}
      - {{ d }}/a/{{ n }}:
        - contents: {{ n * 3 }}
{%- endfor %}
    - require: [{file: dirs}]
one-of:
  test.nop:
    - require: [{file: {{ d }}/b}]
things:
  test.succeed_with_changes:
    - names: [p, q, r]
    - watch_in: [{test: listener}]
listener: {test.succeed_without_changes: []}
