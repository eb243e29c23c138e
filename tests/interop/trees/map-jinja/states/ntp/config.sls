{%- from "ntp/map.jinja" import ntp with context %}
ntp-config:
  file.managed:
    - name: {{ grains.sandbox ~ ntp.conf }}
    - source: salt://ntp/files/ntp.conf.jinja
    - template: jinja
    - makedirs: True
    - mode: '0644'
    - context:
        ntp: {{ ntp | tojson }}
