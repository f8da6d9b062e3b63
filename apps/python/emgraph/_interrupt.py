# SPDX-License-Identifier: MIT
"""Imported first: Ctrl-C during the imports of `python -m emgraph` ends it as it ends any program, without a traceback."""
import signal
import sys

if sys.argv[:1] == ["-m"] and "emgraph" in getattr(sys, "orig_argv", ["emgraph"]):
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # main() asks for the exception again
