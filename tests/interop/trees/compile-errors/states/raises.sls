{{ salt["test.exception"]("from inside") }}
