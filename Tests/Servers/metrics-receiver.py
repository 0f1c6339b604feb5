"""A receiver of OpenTelemetry on 127.0.0.1: PORT LOG MODE,...

The modes apply to successive requests, and the last mode to all later requests. MetricsReceiver.swift lists the
modes. LOG gets a line of JSON for each request, with its path, head and content. The messages are those of the
package opentelemetry-proto, which is generated from the published definitions.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf.json_format import MessageToDict
from google.protobuf.unknown_fields import UnknownFieldSet
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as service

port, log, modes = int(sys.argv[1]), sys.argv[2], sys.argv[3].split(",")


def has_unknown_fields(message):
    """Whether a message, or one inside it, has fields that its definition does not have."""
    if len(UnknownFieldSet(message)) > 0:
        return True
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for part in value if field.is_repeated else [value]:
                if has_unknown_fields(part):
                    return True
    return False


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def status(text):
    """An error as the message google.rpc.Status, with the field `message`."""
    return b"\x12" + varint(len(text)) + text


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = service.ExportMetricsServiceRequest.FromString(body)
        assert not has_unknown_fields(request)
        with open(log, "a") as file:
            head = {name.lower(): value for name, value in self.headers.items()}
            line = {"path": self.path, "head": head, "content": MessageToDict(request)}
            file.write(json.dumps(line) + "\n")
        mode = modes[min(Receiver.count, len(modes) - 1)]
        Receiver.count += 1
        answer, code = service.ExportMetricsServiceResponse(), 200
        if mode == "partial":
            answer.partial_success.rejected_data_points = 3
            answer.partial_success.error_message = "delta \x1b[31mis not accepted\nhere"
        answer = answer.SerializeToString()
        if mode.isdigit():
            answer, code = status(b"no \x1b[31mroom\nleft" + b"." * 300), int(mode)
        if mode == "garbage":
            answer, code = b"<html>\xff\x12\x7f", 400
        self.send_response(code)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
