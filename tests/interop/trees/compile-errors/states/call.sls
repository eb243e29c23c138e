{{ salt["cmd.run"]() }}
