common:
  test.succeed_with_changes: []
