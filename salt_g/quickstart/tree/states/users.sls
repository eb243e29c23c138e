# A loop over pillar. Accounts of your machine are left alone; `user.present` would make real ones.
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
