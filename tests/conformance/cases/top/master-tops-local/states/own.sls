own: {test.nop: []}
