#!/usr/bin/env python3
"""Sends one prompt to a running server and prints the answer; survives lost connections.

    rxpi serve &  python3 examples/prompt.py "What is in this folder?"

It uses docs/protocol.md and the standard library only.
"""
import json
import os
import socket
import stat
import sys
import time
import uuid


def socket_path():
    own = os.environ.get("RXPI_SOCKET")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return own or (f"{runtime}/rxpi/rxpi.sock" if runtime else f"/tmp/rxpi-{os.getuid()}/rxpi.sock")


def check(path):
    """Exits if another user could replace the socket."""
    for name, kind in ((os.path.dirname(path), stat.S_ISDIR), (path, stat.S_ISSOCK)):
        found = os.lstat(name)
        if not kind(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
            sys.exit(f"{name} is not safe to connect to")


class Connection:
    def __init__(self, path):
        check(path)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.asked = 0
        self.waiting = []  # frames that arrived before the expected response
        self.hello = self.read()

    def read(self):
        line = self.lines.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("the connection has ended")
        return json.loads(line)

    def request(self, type, **fields):
        self.asked += 1
        line = json.dumps({"id": str(self.asked), "type": type, **fields})
        self.socket.sendall(line.encode() + b"\n")
        while True:
            frame = self.read()
            if frame["type"] != "response" or frame["id"] != str(self.asked):
                self.waiting.append(frame)
            elif frame["ok"]:
                return frame["result"]
            else:
                sys.exit(f"{type}: {frame['error']['code']}: {frame['error']['message']}")

    def frames(self):
        while True:
            yield self.waiting.pop(0) if self.waiting else self.read()


def show(frame, seen):
    """Prints new text of an answer; `seen` counts the printed UTF-16 units of each text block."""
    event = frame.get("event", {})
    if frame["type"] == "delta":
        block = (frame["entryId"], frame["block"])
        if block in seen and frame["offset"] <= seen[block]:
            tell(units(frame["text"])[(seen[block] - frame["offset"]) * 2:])
            seen[block] = max(seen[block], frame["offset"] + len(units(frame["text"])) // 2)
    elif event.get("type") == "message_update" and event["delta"]["type"] == "text_start":
        seen.setdefault((event["entryId"], event["delta"]["contentIndex"]), 0)
    elif event.get("type") == "message_end" and event["message"]["role"] == "assistant":
        for index, part in enumerate(event["message"]["content"]):
            if part["type"] == "text":
                tell(units(part["text"])[seen.get((event["entryId"], index), 0) * 2:])


def units(text):
    return text.encode("utf-16-le", "surrogatepass")


def tell(piece):
    sys.stdout.write(piece.decode("utf-16-le", "replace"))
    sys.stdout.flush()


def main():
    text = sys.argv[1] if len(sys.argv) > 1 else "What is in this folder?"
    env = {name: os.environ.get(name, "") for name in ("PATH", "HOME")}
    here = {"cwd": os.getcwd(), "env": env}
    made, prompted = str(uuid.uuid4()), str(uuid.uuid4())
    session, seq, seen, tries = None, 0, {}, 0
    while True:
        try:
            connection = Connection(socket_path())
            connection.request("hello", client="example-py")
            if session is None:
                session = connection.request("new_session", opId=made, **here)["session"]
            else:
                connection.request("open_session", session=session, **here)
            connection.request("attach", session=session, after=seq)
            connection.request("prompt", session=session, text=text, opId=prompted)
            for frame in connection.frames():
                tries = 0
                show(frame, seen)
                seq = frame.get("seq", seq) if frame["type"] == "event" else seq
                if frame.get("event", {}).get("type") == "agent_settled":
                    return
        except OSError as problem:
            tries += 1
            if tries > 5:
                sys.exit(f"no server: {problem}")
            time.sleep(0.1 * 2**tries)


main()
