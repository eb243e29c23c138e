include:
  - .parts.*
  - common
app:
  test.succeed_with_changes:
    - name: first
    - require:
      - sls: app.parts.files
