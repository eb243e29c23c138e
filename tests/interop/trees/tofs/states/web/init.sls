{%- set tplroot = tpldir.split('/')[0] %}
{%- from tplroot ~ "/libtofs.jinja" import files_switch with context %}
web-conf:
  file.managed:
    - name: {{ grains.sandbox }}/web.conf
    - source:
{{ files_switch(['web.conf', 'web.conf.jinja'], lookup='web-conf') }}
    - template: jinja
    - defaults: {port: 80, name: plain}
    - context: {name: {{ grains.tier }}}
