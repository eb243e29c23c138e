nested:
  test.configurable_test_state:
    - changes: False
    - comment: {true: 1, no: 2, null: 3, 4: 5}
