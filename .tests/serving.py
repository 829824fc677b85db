"""An OpenAI-compatible server with a real model."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

SERVER = """
import sys
from xllamacpp import CommonParams, Server
settings = CommonParams()
settings.model.path, settings.port, settings.n_ctx = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
settings.api_keys, settings.model_alias = [sys.argv[4]], ["smollm2"]
# One at a time and from the first token on: so that equal questions have equal answers.
settings.n_parallel, settings.cache_prompt, settings.warmup = 1, False, False
settings.cpuparams.n_threads = 1
server = Server(settings)
sys.stdin.read()
"""


@contextmanager
def serving(gguf: Path, *, context_tokens: int, key: str) -> Iterator[str]:
    """Serve the model `smollm2` to who has the key, and give the server's host and port."""
    address = f"127.0.0.1:{free_port()}"
    port = address.partition(":")[2]
    command = [sys.executable, "-c", SERVER, str(gguf), port, str(context_tokens), key]
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet) as process:
        try:
            while not _is_up(address):
                assert process.poll() is None
                time.sleep(0.1)
            yield address
        finally:
            process.kill()


def free_port() -> int:
    """Return a port of this machine that nobody listens to."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _is_up(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{address}/health"):
            return True
    except (urllib.error.URLError, ConnectionError):
        return False
