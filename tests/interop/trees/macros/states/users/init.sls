{% set home = grains.sandbox ~ '/home' %}
{% from 'users/macros.jinja' import person, wrapped with context %}
{% import 'users/texts.jinja' as texts %}
{% for name, person_data in salt['pillar.get']('people', {}) | dictsort %}
{% if person_data.get('absent') %}{% continue %}{% endif %}
{{ person(name, home, **person_data) }}
{% endfor %}
{% call wrapped('note', order=1) %}
    - text:
      - {{ texts.greeting('all') }}
      - {{ texts.sign }}
{% endcall %}
{%- set counter = namespace(n=0) %}
{%- for n in range(10) if n is odd %}
{%- set counter.n = counter.n + n %}
{%- if loop.index > 3 %}{% break %}{% endif %}
{%- endfor %}
count:
  test.succeed_without_changes:
    - name: n{{ counter.n }}
