{{ salt['reached.inside']() }}:
  file.exists:
    - name: /
