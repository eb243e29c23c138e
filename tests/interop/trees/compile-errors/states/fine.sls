fine: {test.nop: []}
