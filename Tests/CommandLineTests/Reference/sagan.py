"""Reads results of RIPE Atlas with RIPE's own parser, and prints one line per response.

The results are one per line, or in an array. Exits with 1 if the parser calls a result malformed, or warns
about a result that contains no error.
"""

import json
import logging
import sys

from ripe.atlas.sagan import DnsResult, Result

warnings = []


class Keeper(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())


logging.getLogger().addHandler(Keeper())
text = open(sys.argv[1], encoding="utf-8").read()
results = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
for raw in results:
    if raw["type"] != "dns":
        continue
    warnings.clear()
    result = Result.get(raw, on_malformation=Result.ACTION_FAIL)
    assert isinstance(result, DnsResult)
    if "error" not in raw and warnings:
        sys.exit(f"{raw}: {warnings}")
    head = [result.measurement_id, result.group_id, result.probe_id, result.created_timestamp]
    if not result.responses:
        print(*head, "error" if result.is_error else "nothing")
    for response in result.responses:
        assert response.qbuf is None or response.qbuf.questions
        print(
            *head,
            response.response_id,
            response.af,
            response.destination_address,
            response.protocol,
            response.response_time,
            response.response_size,
        )
