"""Ambiguous HTTP requests, which two programs may parse differently, and bytes that are no request.

Source: RFC 9112, sections 5, 6, 7 and 11.2.
"""

#: First lines of a request.
POST = b"POST /login HTTP/1.1\r\nHost: x\r\n"
#: Requests that two programs may read differently, and others that are none.
SMUGGLED = {
    "length and chunks": POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "two lengths": POST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    "one length twice": POST + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
    "a list of lengths": POST + b"Content-Length: 4, 4\r\n\r\nabcd",
    "a signed length": POST + b"Content-Length: +4\r\n\r\nabcd",
    "two codings": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n",
    "an unknown coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a hidden coding": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a folded header": b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n",
    "bare line feeds": b"GET / HTTP/1.1\nHost: x\n\nGET /stats HTTP/1.1\r\n\r\n",
    "a bare line feed": b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b\nX-C: d\r\n\r\n",
    "a bare carriage return": b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b\rX-C: d\r\n\r\n",
    "a null byte": b"GET / HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "a path without slash": b"GET stats HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path that is no text": b"GET /%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n",
    "a bad chunk": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "an empty length": POST + b"Content-Length: \r\n\r\n",
    "a length in hexadecimal": POST + b"Content-Length: 0x4\r\n\r\nabcd",
    "a negative length": POST + b"Content-Length: -1\r\n\r\n",
    "a huge length": POST + b"Content-Length: " + b"9" * 40 + b"\r\n\r\n",
    "a length with a space before its colon": POST + b"Content-Length : 4\r\n\r\nabcd",
    "a length behind a tab": POST + b"Content-Length:\x0b4\r\n\r\nabcd",
    "a length in other digits": POST + b"Content-Length: \xb2\r\n\r\nabcd",
    "a coding twice": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked and another coding": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "another coding and chunked": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "a coding with a vertical tab": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "a coding in quotes": POST + b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n',
    "a coding of HTTP/1.0": b"POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
    b"Content-Length: 4\r\n\r\n0\r\n\r\n",
    "a chunk with a signed size": POST + b"Transfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n",
    "a chunk with 0x": POST + b"Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n",
    "a chunk of a huge size": POST + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\n",
    "a chunk that is longer than its size": POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n",
    "a header without a colon": b"GET / HTTP/1.1\r\nHost: x\r\nX-A\r\n\r\n",
    "a space before the first header": b"GET / HTTP/1.1\r\n Host: x\r\n\r\n",
    "two spaces in the first line": b"GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a large head": b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * 17_000 + b"\r\n\r\n",
}
