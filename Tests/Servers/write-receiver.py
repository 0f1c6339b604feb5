"""A receiver of Prometheus remote writes on 127.0.0.1: PORT LOG MODE,... [CERTIFICATE KEY].

The modes apply to successive requests, and the last mode to all later requests. WriteReceiver.swift lists the
modes. LOG gets a line of JSON for each request, with its path, head and content. This file has its own
decoder for the snappy block and for the message in the block.
"""

import json
import ssl
import struct
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port, log, modes = int(sys.argv[1]), sys.argv[2], sys.argv[3].split(",")


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def decompressed(block):
    length, at = varint(block, 0)
    text = bytearray()
    while at < len(block):
        tag, at = block[at], at + 1
        if tag & 3 == 0:
            count = tag >> 2
            if count >= 60:
                octets = count - 59
                count = int.from_bytes(block[at : at + octets], "little")
                at += octets
            text += block[at : at + count + 1]
            at += count + 1
            continue
        if tag & 3 == 1:
            count, offset, at = (tag >> 2 & 7) + 4, tag >> 5 << 8 | block[at], at + 1
        else:
            octets = 2 if tag & 3 == 2 else 4
            count, offset = (tag >> 2) + 1, int.from_bytes(block[at : at + octets], "little")
            at += octets
        for _ in range(count):
            text.append(text[-offset])
    assert len(text) == length
    return bytes(text)


def fields(data):
    at, found = 0, {}
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        else:
            assert key & 7 == 2
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
        found.setdefault(key >> 3, []).append(value)
    return found


def zigzag(value):
    return value >> 1 ^ -(value & 1)


def histogram(data):
    message = fields(data)
    deltas, at, index, count, buckets = message.get(12, [b""])[0], 0, 0, 0, {}
    for span in message.get(11, []):
        span = fields(span)
        index += zigzag(span.get(1, [0])[0])
        for _ in range(span.get(2, [0])[0]):
            delta, at = varint(deltas, at)
            count += zigzag(delta)
            buckets[index] = count
            index += 1
    return {
        "count": message.get(1, [0])[0],
        "sum": message.get(3, [0])[0],
        "schema": zigzag(message[4][0]),
        "time": message[15][0],
        "buckets": buckets,
    }


def series(data):
    message = fields(data)
    labels = [[part.decode() for part in (fields(label)[1] + fields(label)[2])] for label in message[1]]
    assert labels == sorted(labels)
    samples = [fields(sample) for sample in message.get(2, [])]
    return {
        "labels": dict(labels),
        "samples": [[sample[2][0], sample.get(1, [0])[0]] for sample in samples],
        "histograms": [histogram(part) for part in message.get(4, [])],
    }


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        message = fields(decompressed(body))
        everything = [series(part) for part in message[1]]
        with open(log, "a") as file:
            head = {name.lower(): value for name, value in self.headers.items()}
            names = [fields(part)[2][0].decode() for part in message[3]]
            line = {"path": self.path, "head": head, "metrics": names, "series": everything}
            file.write(json.dumps(line) + "\n")
        mode = modes[min(Receiver.count, len(modes) - 1)]
        Receiver.count += 1
        rounds = max(len(part["histograms"]) for part in everything) // 2
        if mode == "alone":
            mode = "400" if rounds > 1 else "204"
        status = int(mode) if mode.isdigit() else 307 if mode == "elsewhere" else 500
        answer = b"" if status == 204 else b"not \x1b[31mthis\nthat"
        if mode == "endless":
            answer = b"x" * 1_000_000
        self.send_response(status)
        if mode == "elsewhere":
            self.send_header("Location", "/elsewhere")
        if status != 204:
            self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
if len(sys.argv) > 4:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4], sys.argv[5])
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
