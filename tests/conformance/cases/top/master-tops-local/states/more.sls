more: {test.nop: []}
