include:
  - app
  - .parts.files
exclude:
  - id: noise
extend:
  app-file:
    file.managed:
      - contents: prod
      - watch:
        - test: common
  app:
    test:
      - name: second
      - require:
        - test: extra
  common:
    test.nop:
      - name: extended
