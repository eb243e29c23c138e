{%- set root = pillar.get('root') or opts['root_dir'] ~ '/machine' %}

machine:
  file.directory:
    - name: {{ root }}/etc/app
    - makedirs: True

config:
  file.managed:
    - name: {{ root }}/etc/app/app.conf
    - source: salt://try/app.conf.jinja
    - template: jinja
    - mode: '0640'
    - require:
      - file: machine

{%- for user, data in pillar['app']['users'].items() %}
{{ root }}/etc/app/users/{{ user }}:
  file.managed:
    - makedirs: True
    - contents: {{ data['shell'] }}
    - require_in:
      - cmd: reload
{%- endfor %}

reload:
  cmd.run:
    - name: date > {{ root }}/reloaded
    - onchanges:
      - file: config
