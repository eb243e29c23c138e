a:
  test.nop:
   - x: 1
  - y: 2
