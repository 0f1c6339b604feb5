"""A receiver of notices on 127.0.0.1: PORT LOG MODE,...

The modes apply to successive requests, and the last mode to all later requests. A mode is a status, or `none`:
the connection is closed without an answer. LOG gets a line of JSON for each request, with its path, head and
content.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port, log, modes = int(sys.argv[1]), sys.argv[2], sys.argv[3].split(",")


class Receiver(BaseHTTPRequestHandler):
    count = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(log, "a") as file:
            head = {name.lower(): value for name, value in self.headers.items()}
            file.write(json.dumps({"path": self.path, "head": head, "body": json.loads(body)}) + "\n")
        mode = modes[min(Receiver.count, len(modes) - 1)]
        Receiver.count += 1
        if mode == "none":
            self.close_connection = True
            return
        self.send_response(int(mode))
        self.end_headers()
        self.wfile.write(b"not \x1b[31mnow\nplease")

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
