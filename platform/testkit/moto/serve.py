"""A store that speaks S3 on the port of the first argument, until standard input ends."""

import os
import sys
import threading

from moto.server import main


def end_with_parent():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_parent, daemon=True).start()
main(["-H", "127.0.0.1", "-p", sys.argv[1]])
