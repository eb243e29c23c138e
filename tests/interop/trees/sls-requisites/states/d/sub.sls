include: [d]
d-sub:
  test.succeed_without_changes:
    - order: 1
