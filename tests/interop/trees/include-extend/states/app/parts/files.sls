app-file:
  file.managed:
    - name: {{ grains.sandbox }}/app
    - contents: base
    - mode: 640
