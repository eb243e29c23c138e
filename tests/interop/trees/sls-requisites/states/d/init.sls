d: {test.nop: []}
