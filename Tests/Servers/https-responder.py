"""A DNS over HTTPS server on 127.0.0.1 with the fault of its mode: PORT CERTIFICATE KEY MODE LOG.

HTTPSResponder.swift lists the modes. LOG gets a line for each connection and query, and for each reset,
GOAWAY and ping acknowledgement of the client.
"""

import base64
import socket
import struct
import sys
from urllib.parse import parse_qs, urlsplit

import tls_stream
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    PingAckReceived,
    RequestReceived,
    StreamEnded,
    StreamReset,
)
from h2.settings import SettingCodes, Settings

HEADERS, PING, CONTINUATION = 1, 6, 9
END_HEADERS = 4

port, certificate, key, mode, log = int(sys.argv[1]), *sys.argv[2:6]
REFUSED_STREAM = 7


def note(line):
    with open(log, "a") as file:
        file.write(line + "\n")


def frame(kind, flags, stream, content):
    return struct.pack("!I", len(content))[1:] + struct.pack("!BBI", kind, flags, stream) + content


# HPACK (RFC 7541): `:status: 200` and `:status: 103`, a field of 4,000 bytes that enters the dynamic table,
# and one byte that refers to the newest entry of this table.
OK, EARLY = b"\x88", b"\x08\x03103"
LARGE, AGAIN = b"\x40\x01x\x7f\xa1\x1e" + b"x" * 4_000, b"\xbe"


class Connection(tls_stream.Stream):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        config = H2Configuration(client_side=False, header_encoding="utf-8")
        self.http = H2Connection(config=config)
        if mode == "limit":
            self.http.local_settings = Settings(
                client=False, initial_values={SettingCodes.MAX_CONCURRENT_STREAMS: 2}
            )
        self.requests, self.contents = {}, {}
        # The answers that wait for another query or for a ping, and the unsent bytes of each stream.
        self.held, self.unsent = [], {}
        self.queries = 0

    def flush_http(self):
        self.pump()
        octets = self.http.data_to_send()
        if octets:
            self.send(octets)

    def pump(self):
        for stream in list(self.unsent):
            while self.unsent[stream]:
                room = self.http.local_flow_control_window(stream)
                room = min(room, self.http.max_outbound_frame_size)
                if room <= 0:
                    break
                part, self.unsent[stream] = self.unsent[stream][:room], self.unsent[stream][room:]
                self.http.send_data(stream, part)
            if not self.unsent[stream]:
                self.http.end_stream(stream)
                del self.unsent[stream]

    def respond(self, stream, message, status="200", kind="application/dns-message"):
        fields = [(":status", status), ("content-type", kind)]
        self.http.send_headers(stream, fields)
        self.unsent[stream] = message

    def serve(self):
        note(self.handshake())
        self.http.initiate_connection()
        self.flush_http()
        while True:
            for event in self.http.receive_data(self.read(65536)):
                self.take(event)
            self.flush_http()

    def take(self, event):
        if isinstance(event, RequestReceived):
            self.requests[event.stream_id] = dict(event.headers)
            self.contents[event.stream_id] = b""
            if mode == "hasty" and self.queries:
                fields = [(":status", "200"), ("content-type", "application/dns-message")]
                self.http.send_headers(event.stream_id, fields)
                self.http.send_data(event.stream_id, self.first)
                self.flush_http()
                self.http.increment_flow_control_window(4_096, event.stream_id)
        elif isinstance(event, DataReceived):
            self.contents[event.stream_id] += event.data
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, StreamEnded):
            self.ask(event.stream_id)
        elif isinstance(event, StreamReset):
            self.unsent.pop(event.stream_id, None)
            note(f"reset {int(event.error_code)}")
        elif isinstance(event, ConnectionTerminated):
            note(f"goaway {int(event.error_code)}")
        elif isinstance(event, PingAckReceived):
            note("ping acknowledged")
            self.respond(*self.held.pop())

    def ask(self, stream):
        fields, query = self.requests.pop(stream), self.contents.pop(stream)
        place = urlsplit(fields[":path"])
        if fields[":method"] == "GET":
            text = parse_qs(place.query)["dns"][0]
            query = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        elif fields["content-type"] != "application/dns-message":
            return self.respond(stream, b"", "415")
        identifier = struct.unpack("!H", query[:2])[0]
        where = f"{fields[':authority']}{place.path}"
        note(f"query {fields[':method']} {where} {len(query)} {identifier}")
        self.queries += 1
        self.answer(stream, tls_stream.answer(query, 3_700 if mode == "large" else 1))

    def answer(self, stream, message):
        if mode == "hasty" and self.queries > 1:
            self.http.end_stream(stream)
        elif mode in ("404", "500"):
            self.respond(stream, b"no such luck", mode, "text/plain")
        elif mode == "type":
            self.respond(stream, message, kind="text/html")
        elif mode == "oversized":
            self.respond(stream, message + bytes(70_000))
        elif mode == "ping":
            self.held.append((stream, message))
            self.http.ping(b"are you?")
        elif mode == "swap" or mode == "limit" and self.queries > 1:
            # The second of two queries is answered first. A limit of two streams excludes a third query.
            self.held.append((stream, message))
            if len(self.held) == 2:
                self.respond(*self.held.pop())
                self.flush_http()
                self.respond(*self.held.pop())
        elif mode in HEADERS_OF:
            HEADERS_OF[mode](self, stream)
            if mode == "ample":
                self.respond(stream, message)
        elif mode == "unknown":
            # Clients must ignore frames of an unknown type (RFC 9113 §4.1).
            note("flood")
            self.flood((struct.pack("!I", 1_000)[1:] + b"\xfa" + bytes(5 + 1_000)) * 100)
        elif mode in ("refuse", "close", "reset", "goaway", "garbage"):
            self.fail(stream, message)
        elif mode != "silent":
            if mode == "hasty":
                self.http.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 0})
                self.first = message
            self.respond(stream, message)
            if mode == "farewell":
                # The GOAWAY leaves with the answer. A query that crosses it would be lost.
                self.pump()
                self.http.close_connection(last_stream_id=stream)

    def fail(self, stream, message):
        if mode == "refuse":
            self.http.reset_stream(stream, REFUSED_STREAM)
        elif mode == "goaway":
            self.http.close_connection(last_stream_id=0)
        elif mode == "garbage":
            self.send(b"\xff" * 64)
        elif mode == "close":
            raise EOFError
        else:
            self.http.send_headers(stream, [(":status", "200"), ("content-type", "a/b")])
            self.http.send_data(stream, message[:20])
            self.send(self.http.data_to_send())
            self.reset()

    def send_enough(self, stream):
        note(f"limit {self.http.remote_settings.max_header_list_size}")
        self.inform(stream, 8)

    def inform(self, stream, count):
        for _ in range(count):
            self.http.send_headers(stream, [(":status", "103")])

    def send_fields(self, stream, count, value):
        fields = [(f"x-{number}", value) for number in range(count)]
        self.http.send_headers(stream, [(":status", "200")] + fields)

    def refer(self, stream):
        """Sends 800 kB of interim answers, which expand to 3 GB."""
        content = EARLY + LARGE
        content += AGAIN * (16_384 - len(content))
        self.send(frame(HEADERS, END_HEADERS, stream, content))
        content = EARLY + AGAIN * (16_384 - len(EARLY))
        for _ in range(49):
            self.send(frame(HEADERS, END_HEADERS, stream, content))

    def go_on(self, stream):
        """Sends a header that never ends."""
        self.send(frame(HEADERS, 0, stream, OK))
        while True:
            self.send(frame(CONTINUATION, 0, stream, b"\x00\x01x\x01y") * 100)

    def deafen(self, stream):
        """Sends pings without end, and reads none of the answers."""
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        while True:
            self.send(frame(PING, 0, 0, b"are you?") * 900)


HEADERS_OF = {
    "ample": Connection.send_enough,
    "fields": lambda self, stream: self.send_fields(stream, 64, "y"),
    "header": lambda self, stream: self.send_fields(stream, 5, "y" * 4_000),
    "interim": lambda self, stream: self.inform(stream, 9),
    "references": Connection.refer,
    "continue": Connection.go_on,
    "deaf": Connection.deafen,
}


class OldConnection(tls_stream.Stream):
    """A connection over HTTP/1.1, with one request after the other."""

    def serve(self):
        note(self.handshake())
        try:
            self.serve_requests()
        finally:
            note("closed")

    def serve_requests(self):
        rest = b""
        while True:
            while b"\r\n\r\n" not in rest:
                rest += self.read(65536)
            head, rest = rest.split(b"\r\n\r\n", 1)
            request, *lines = head.decode().split("\r\n")
            method, target, version = request.split(" ")
            assert version == "HTTP/1.1"
            fields = dict(line.split(": ", 1) for line in lines)
            size = int(fields.get("content-length", 0))
            while len(rest) < size:
                rest += self.read(65536)
            query, rest = rest[:size], rest[size:]
            if method == "GET":
                text = parse_qs(urlsplit(target).query)["dns"][0]
                query = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            else:
                assert fields["content-type"] == "application/dns-message"
            identifier = struct.unpack("!H", query[:2])[0]
            where = f"{fields['host']}{urlsplit(target).path}"
            note(f"query {method} {where} {len(query)} {identifier}")
            # A request that arrives before the answer remains in `rest`. It is logged after the answer.
            self.answer(tls_stream.answer(query))

    def answer(self, message):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/dns-message\r\n"
        whole = head + b"Content-Length: %d\r\n\r\n" % len(message) + message
        if mode == "chunked":
            parts = (message[at : at + 7] for at in range(0, len(message), 7))
            chunks = b"".join(b"%x;a=b\r\n%s\r\n" % (len(part), part) for part in parts)
            self.send(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\nx: y\r\n\r\n")
        elif mode in ("unended", "leaving"):
            last = whole.replace(b"OK", b"OK\r\nConnection: close")
            self.send(head + b"\r\n" + message if mode == "unended" else last)
            self.drive(self.tls.unwrap)
            raise EOFError
        else:
            self.send(whole * (2 if mode == "double" else 1))


OLD = ("old", "unnamed", "chunked", "unended", "leaving", "double")


def handle(stream, context):
    kind = OldConnection if mode in OLD else Connection
    kind(stream, context, 1 if mode == "trickle" else None).serve()


protocols = [] if mode == "unnamed" else ["http/1.1"] if mode in OLD else ["h2"]
tls_stream.serve(port, certificate, key, protocols, handle)
