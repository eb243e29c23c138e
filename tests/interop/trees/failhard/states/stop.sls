one: {test.succeed_with_changes: []}
hears: {test.succeed_without_changes: [{listen: [{test: one}]}, {order: 1}]}
soft: {test.fail_without_changes: [{failhard: False}]}
two: {test.succeed_with_changes: []}
hard: {test.fail_without_changes: []}
never: {test.succeed_with_changes: []}
