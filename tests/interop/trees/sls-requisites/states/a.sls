a1: {test.succeed_with_changes: []}
a2: {test.succeed_without_changes: []}
