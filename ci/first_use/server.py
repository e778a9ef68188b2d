"""Cases of ci/first-use with `memonet serve`, and with `memonet shell` on a terminal.

    python3 ci/first_use/server.py CASE MEMONET

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
import threading
import time

MEMONET = sys.argv[2]


def need(condition, sentence):
    if not condition:
        raise SystemExit(sentence)


class Server:
    """`memonet serve` in a folder of its own."""

    def __init__(self, mask=0o022):
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "memonet.sock")
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=self.folder)
        command = [MEMONET, "serve", "--nic", "model"]
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, umask=mask, text=True
        )
        need(self.process.stdout.readline().startswith("# 2 nodes"), "the server does not listen")
        # A full pipe would block the server.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def connect(self, pid=None):
        """A raw client, attached as a shell if `pid` is given."""
        stream = socket.socket(socket.AF_UNIX)
        stream.settimeout(20)
        stream.connect(self.path)
        if pid is not None:
            version = subprocess.check_output([MEMONET, "--version"], text=True).split()[1]
            hello = dict(version=version, machine="DIMMnet-2", processes=2, pid=pid, wid=False, folder=self.folder)
            stream.sendall(json.dumps({"hello": hello}).encode() + b"\n")
            need(b"welcome" in stream.recv(1 << 20), "no welcome")
        return stream

    def shell(self, pid, lines):
        """Runs a shell on lines of text or bytes; returns its result and its duration in seconds."""
        begin = time.monotonic()
        command = [MEMONET, "shell", "2", str(pid)]
        lines = lines if isinstance(lines, bytes) else lines.encode()
        ran = subprocess.run(
            command, env=self.environment, input=lines, capture_output=True, timeout=60, cwd=self.folder
        )
        ran.stdout, ran.stderr = ran.stdout.decode(), ran.stderr.decode()
        return ran, time.monotonic() - begin

    def end(self, seconds=5):
        """Ends the server by Ctrl-C; returns the seconds until its end."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise SystemExit("Ctrl-C does not end the server")
        need(code == 0, f"the server ends with {code}")
        need(not os.path.exists(self.path), "the socket stays")
        return time.monotonic() - begin


def line(number, text):
    return json.dumps({"line": {"number": number, "text": text}}).encode() + b"\n"


def pipe():
    """A pipe as a script does not block the server, and Ctrl-C ends it despite a running command and a silent client."""
    server = Server()
    os.mkfifo(os.path.join(server.folder, "fifo"))
    ran, seconds = server.shell(0, "source fifo\n")
    need("no regular file" in ran.stderr and ran.returncode == 1 and seconds < 5, f"{ran}")
    ran, _ = server.shell(0, "source /dev/zero\n")
    need("no regular file" in ran.stderr, f"{ran}")
    silent, busy = server.connect(), server.connect(1)
    busy.sendall(line(1, "prim RVS dt=0 it=0 dw=0 dl=1 ef=0 size=0x4000000 src=0 dst=0"))
    need(b"reply" in busy.recv(1 << 20), "no reply")
    busy.sendall(line(2, "run 1000000000"))
    time.sleep(0.3)
    need(server.end() < 3, "Ctrl-C takes more than 3 s")
    silent.close()


def measure():
    """A shell is not delayed by a flood of lines, by a client that never reads, or by many clients."""
    server = Server()
    deaf = server.connect(1)

    def flood(stream):
        # The server must disconnect this client at some time.
        try:
            for number in range(200_000):
                stream.sendall(line(number, "h"))
        except OSError:
            return

    flooding = threading.Thread(target=flood, args=(deaf,), daemon=True)
    flooding.start()
    crowd = [server.connect() for _ in range(60)]
    slowest = max(server.shell(0, "v\n")[1] for _ in range(5))
    need(slowest < 3, f"a shell waited for {slowest:.1f} s")
    flooding.join(20)
    need(not flooding.is_alive(), "the flood goes on")
    more = [server.connect() for _ in range(20)]
    refused = [b"refused" in stream.recv(1 << 16) for stream in more[-10:]]
    need(all(refused), "the number of clients is not limited")
    status = open(f"/proc/{server.process.pid}/status").read().splitlines()
    figures = {name: int(rest.split()[0]) for name, rest in (row.split(":", 1) for row in status) if name in ("Threads", "VmRSS")}
    need(figures["Threads"] < 200 and figures["VmRSS"] < 500_000, f"{figures}")
    need(b"no hello" in crowd[0].recv(1 << 16), "the silent client is not disconnected")
    for stream in crowd + more + [deaf]:
        stream.close()
    time.sleep(0.5)
    held = server.connect(0)
    ran, _ = server.shell(0, "v\n")
    need("PID 0 has a shell already" in ran.stderr and ran.returncode == 1, f"{ran}")
    held.close()
    need(server.shell(0, "v\n")[0].returncode == 0, "the PID is not free again")
    server.end()


def private():
    """Only the owner can access the socket, with any umask."""
    server = Server(mask=0)
    need(os.stat(server.path).st_mode & 0o777 == 0o600, oct(os.stat(server.path).st_mode))
    server.end()


def attach():
    """`memonet shell` attaches to the boards of the server and says so, except with --alone or --nic."""
    server = Server()
    ran, _ = server.shell(0, "rllcm_write 2 0x40 7\n")
    need("attached to the boards of" in ran.stderr, f"{ran}")
    ran, _ = server.shell(1, "llcm_read 0x40 8\n")
    need("0000000000000007" in ran.stdout, f"{ran}")
    for option in (["--alone"], ["--nic", "model"]):
        command = [MEMONET, "shell", "2", "1", *option]
        ran = subprocess.run(command, env=server.environment, input="llcm_read 0x40 8\n", capture_output=True, text=True)
        need("0000000000000000" in ran.stdout and "attached" not in ran.stderr, f"{ran}")
    server.end()


class Terminal:
    """`memonet shell` on a terminal."""

    def __init__(self):
        home = tempfile.mkdtemp()
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.environ.update(XDG_RUNTIME_DIR="/nowhere", TERM="dumb", HOME=home)
            os.execv(MEMONET, [MEMONET, "shell"])
        self.text = ""

    def until(self, words):
        """Reads until `words` appear; returns the text before them."""
        end = time.monotonic() + 20
        while words not in self.text:
            readable, _, _ = select.select([self.screen], [], [], max(0, end - time.monotonic()))
            need(readable, f"no `{words}` in {self.text}")
            self.text += os.read(self.screen, 1 << 16).decode(errors="replace")
        before, self.text = self.text.split(words, 1)
        return before

    def type(self, keys, answer):
        """Types at the prompt; returns the text before the answer."""
        self.until("dsh > ")
        os.write(self.screen, keys)
        return self.until(answer)

    def end(self):
        os.write(self.screen, b"q\r")
        need(os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]) == 0, "q does not exit with 0")


def terminal():
    """The greeting on a terminal, `?`, the hint for a misspelled command, and Ctrl-C at the prompt."""
    shell = Terminal()
    shell.until("boards of its own")
    shell.until("2 nodes of DIMMnet-2, model")
    shell.until("lists the commands")
    shell.type(b"?\r", "LH Buffer Read")
    shell.type(b"botff\r", "did you mean `botf`")
    shell.type(b"\x03v\r", "version 2.1a")
    shell.end()


def bytes_on_a_terminal():
    """A byte that is not UTF-8 costs its line: what is typed behind it is dropped, and the next line is carried out."""
    shell = Terminal()
    shell.until("lists the commands")
    for typed in (b"botff \xff botff\r", b"botff caf\xe9 x\r"):
        said = shell.type(typed, "is not UTF-8 text; type it again")
        need("no command" not in said, said)
    said = shell.type(b"v\r", "version 2.1a")
    need("no command" not in said, said)
    shell.end()


def bytes_at_a_server():
    """A server answers a line that is not UTF-8 with an error, and its shell stays."""
    server = Server()
    stream = server.connect(1)
    for typed, answer in ((b"run 5\xff", b"is not UTF-8 text"), (b"v", b"version 2.1a")):
        stream.sendall(b'{"line":{"number":1,"text":"' + typed + b'"}}\n')
        said = stream.recv(1 << 20)
        need(answer in said, f"{said}")
    ran, _ = server.shell(0, b"run 5\xff\n")
    need("is not UTF-8 text" in ran.stderr and ran.returncode == 1, f"{ran}")
    server.end()


{case.__name__: case for case in (pipe, measure, private, attach, terminal, bytes_on_a_terminal, bytes_at_a_server)}[sys.argv[1]]()
