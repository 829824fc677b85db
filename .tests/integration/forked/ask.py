"""Stands in the place of Python: Snakemake, and the script of a job, are run by a fork.

Anything else is started as it would be. The variable FORKS is the socket.
"""

import json
import os
import socket
import sys
from pathlib import Path

_, python, *arguments = sys.argv
if arguments[:2] != ["-m", "snakemake"] and "/.snakemake/scripts/" not in arguments[0]:
    os.execv(python, [python, *arguments])
asked = {"folder": str(Path.cwd()), "arguments": arguments, "environment": dict(os.environ)}
with socket.socket(socket.AF_UNIX) as call:
    call.connect(os.environ["FORKS"])
    socket.send_fds(call, [b"\0"], [0, 1, 2])
    call.sendall(json.dumps(asked).encode() + b"\n")
    # A job that was killed says nothing.
    sys.exit(int(call.recv(16) or 137))
