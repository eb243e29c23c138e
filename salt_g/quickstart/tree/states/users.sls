# A loop over pillar. It creates no accounts on your machine; `user.present` would.
{%- set root = opts['root_dir'] ~ '/machine' %}

{%- for name, user in pillar['users'].items() %}
{{ root }}/home/{{ name }}/.profile:
  file.managed:
    - makedirs: True
    - mode: '0600'
    - contents:
      - export EDITOR={{ user['editor'] }}
      - cd {{ root }}/home/{{ name }}
{%- endfor %}
