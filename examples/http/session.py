"""A session over the WebSocket with Python's standard library: the protocol by hand, and one call."""

import base64
import json
import os
import socket
import struct
import urllib.parse
import uuid

URL = urllib.parse.urlsplit(os.environ.get("HANDRAIL_URL", "http://127.0.0.1:4870"))
TOKEN = os.environ["HANDRAIL_TOKEN"]
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class WebSocket:
    """As much of RFC 6455 as a client of one server needs."""

    def __init__(self, path):
        self.connection = socket.create_connection((URL.hostname, URL.port))
        self.incoming = self.connection.makefile("rb")
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {URL.netloc}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            f"Authorization: Bearer {TOKEN}",
        ]
        self.connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = self.incoming.readline().decode().strip()
        while self.incoming.readline() not in (b"\r\n", b""):
            pass
        if " 101 " not in status:
            raise SystemExit(status)

    def send(self, message, kind=TEXT):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        if len(data) < 126:
            length = struct.pack("!B", 0x80 | len(data))
        elif len(data) < 65536:
            length = struct.pack("!BH", 0x80 | 126, len(data))
        else:
            length = struct.pack("!BQ", 0x80 | 127, len(data))
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.connection.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def receive(self):
        """The next message. Pings are answered: who does not answer is taken for gone."""
        while True:
            first, second = self.incoming.read(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", self.incoming.read(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self.incoming.read(8))
            data = self.incoming.read(length)
            if first & 0xF == PING:
                self.send(data, PONG)
            elif first & 0xF == CLOSE:
                raise SystemExit(f"closed: {data[2:].decode()}")
            else:
                return json.loads(data)


session = WebSocket(f"/ws/tour-{uuid.uuid4()}")
call = {"type": "tool_call", "call_id": "call-1", "tool_name": "list_files", "args": {"path": "."}}
session.send(call)
while True:
    message = session.receive()
    if message["type"] == "tool_result" and message["call_id"] == "call-1":
        print("list_files:", message.get("error", {}).get("code", "ok"))
        # The server forgets what came; one that connects again with ?after=<seq> gets what it lacks.
        session.send({"type": "ack", "seq": message["seq"]})
        break
