a: {test.nop: [{wrongarg: 1}, {nmae: x}]}
b: {file.managed: [{contnets: x}]}
