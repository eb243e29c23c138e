a: {test nop: []}
b: {"test.nop name": []}
c: test.nop.x.y
