{{ salt["test.nothing"]() }}
