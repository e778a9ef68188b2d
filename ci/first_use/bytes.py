"""Lines with bytes that are not UTF-8, on a terminal and at a server.

    python3 ci/first_use/bytes.py CASE MEMONET

Each case ends with exit code 0 or prints what failed.
"""

import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

MEMONET = sys.argv[2]


def need(condition, sentence):
    if not condition:
        raise SystemExit(sentence)


def terminal():
    """A bad byte on a terminal costs its line: what is typed behind it is dropped, and the next line is carried out."""
    pid, screen = pty.fork()
    if pid == 0:
        os.environ.update(XDG_RUNTIME_DIR="/nowhere", TERM="dumb", HOME=tempfile.mkdtemp())
        os.execv(MEMONET, [MEMONET, "shell"])
    text = ""

    def until(words):
        nonlocal text
        end = time.monotonic() + 20
        while words not in text:
            need(select.select([screen], [], [], end - time.monotonic())[0], f"no `{words}` in {text}")
            text += os.read(screen, 1 << 16).decode(errors="replace")
        before, text = text.split(words, 1)
        return before

    until("lists the commands")
    for typed in (b"botff \xff botff\r", b"botff caf\xe9 x\r"):
        until("dsh > ")
        os.write(screen, typed)
        said = until("is not UTF-8 text; type it again")
        need("no command" not in said, said)
    until("dsh > ")
    os.write(screen, b"v\r")
    said = until("version 2.1a")
    need("no command" not in said, said)
    os.write(screen, b"q\r")
    need(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, "q does not exit with 0")


def serve():
    """A server answers a bad line with an error, and its shell stays."""
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "memonet.sock")
    environment = dict(os.environ, XDG_RUNTIME_DIR=folder)
    server = subprocess.Popen([MEMONET, "serve"], env=environment, stdout=subprocess.PIPE, text=True)
    need(server.stdout.readline().startswith("# 2 nodes"), "the server does not listen")
    stream = socket.socket(socket.AF_UNIX)
    stream.settimeout(20)
    stream.connect(path)
    version = subprocess.check_output([MEMONET, "--version"], text=True).split()[1]
    hello = dict(version=version, machine="DIMMnet-2", processes=2, pid=1, wid=False, folder=folder)
    stream.sendall(json.dumps({"hello": hello}).encode() + b"\n")
    need(b"welcome" in stream.recv(1 << 20), "no welcome")
    for typed, answer in ((b"run 5\xff", b"is not UTF-8 text"), (b"v", b"version 2.1a")):
        stream.sendall(b'{"line":{"number":1,"text":"' + typed + b'"}}\n')
        said = stream.recv(1 << 20)
        need(answer in said, f"{said}")
    typed = b"run 5\xff\n"
    ran = subprocess.run([MEMONET, "shell", "2", "0"], env=environment, input=typed, capture_output=True, timeout=60)
    need(b"is not UTF-8 text" in ran.stderr and ran.returncode == 1, f"{ran}")
    server.send_signal(signal.SIGINT)
    need(server.wait(10) == 0, "the server does not end with 0")


{case.__name__: case for case in (terminal, serve)}[sys.argv[1]]()
