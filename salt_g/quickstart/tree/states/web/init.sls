# Requisites: the settings need their directory, and the site is reloaded when they have changed.
{%- set root = opts['root_dir'] ~ '/machine' %}

site-directory:
  file.directory:
    - name: {{ root }}/etc/site
    - makedirs: True
    - mode: '0750'

site-settings:
  file.managed:
    - name: {{ root }}/etc/site/site.conf
    - source: salt://web/site.conf.jinja
    - template: jinja
    - require:
      - file: site-directory

site-reload:
  cmd.run:
    - name: date +%s >> reloads
    - cwd: {{ root }}/etc/site
    - onchanges:
      - file: site-settings
