include: [nowhere, .nor.here, fine]
a: {test.nop: []}
