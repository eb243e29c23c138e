include: [fine]
fine: {test.nop: [{name: other}]}
