other: {test.nop: []}
