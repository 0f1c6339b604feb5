"""Serves a load at a fixed rate: PORT BYTES-PER-SECOND.

GET sends without an end, POST receives and discards. All connections together get the rate, so that
the throughput does not depend on their number. `/missing` is not found, `/elsewhere` is a redirect.
"""

import http.server
import sys
import threading
import time

PORT, RATE = int(sys.argv[1]), int(sys.argv[2])
PIECE = 4096


class Bucket:
    """Hands out the bytes of one rate, in the order of the requests."""

    def __init__(self):
        self.lock = threading.Lock()
        self.next = time.monotonic()

    def take(self, count):
        with self.lock:
            now = time.monotonic()
            self.next = max(self.next, now) + count / RATE
            wait = self.next - now
        time.sleep(wait)


BUCKET = Bucket()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def refuse(self):
        status = {"/missing": 404, "/elsewhere": 302}.get(self.path)
        if status is None:
            return False
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://192.0.2.1/")
        self.send_header("Content-Length", "0")
        self.end_headers()
        return True

    def do_GET(self):
        if self.refuse():
            return
        self.send_response(200)
        self.send_header("Content-Length", str(1 << 40))
        self.end_headers()
        while True:
            BUCKET.take(PIECE)
            self.wfile.write(b"x" * PIECE)

    def do_POST(self):
        if self.refuse():
            return
        left = int(self.headers["Content-Length"])
        while left > 0:
            BUCKET.take(PIECE)
            piece = self.rfile.read(min(PIECE, left))
            if not piece:
                return
            left -= len(piece)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # The end of a load closes its connections.
        pass


Server(("127.0.0.1", PORT), Handler).serve_forever()
