extra: {test.nop: []}
