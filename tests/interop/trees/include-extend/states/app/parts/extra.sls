include:
  - ...common
extra:
  test.nop: []
noise:
  test.fail_without_changes: []
