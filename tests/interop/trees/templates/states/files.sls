{% set d = grains.sandbox %}
{{ d }}/page:
  file.managed:
    - source: salt://tpl/page.jinja
    - template: jinja
    - defaults: {title: default, items: [1, 2]}
    - context: {title: 'Context: "quoted" & <more>'}
    - mode: keep
{{ d }}/child:
  file.managed:
    - source: salt://tpl/child.jinja
    - template: jinja
{{ d }}/python:
  file.managed:
    - source: salt://tpl/gen.py
    - template: py
    - context: {n: 3}
{{ d }}/inline:
  file.managed:
    - template: jinja
    - contents: |
        {% raw %}{{ grains.id }} {{ name }} {{ source }}{% endraw %}
{{ d }}/broken:
  file.managed:
    - source: salt://tpl/broken.jinja
    - template: jinja
{{ d }}/undefined:
  file.managed:
    - source: salt://tpl/undefined.jinja
    - template: jinja
{{ d }}/wrong-context:
  file.managed:
    - source: salt://tpl/page.jinja
    - template: jinja
    - context: text
{{ d }}/unknown-engine:
  file.managed:
    - source: salt://tpl/page.jinja
    - template: nothing
{{ d }}/plain-crlf:
  file.managed:
    - source: salt://tpl/crlf
    - template: jinja
