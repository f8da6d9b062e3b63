# SPDX-License-Identifier: MIT
"""Imported first: Ctrl-C during the imports of `python -m emgraph` ends it as it ends any program, without a traceback."""
import signal
import sys

# Python 3.9 does not keep the interpreter's own arguments, the last of which names the module.
if sys.argv[:1] == ["-m"] and getattr(sys, "orig_argv", None):
    _last = sys.orig_argv[-len(sys.argv)]
    _is_joined = _last.startswith("-") and _last.partition("m")[2] == "emgraph"  # -memgraph
    if (_last == "emgraph" or _is_joined) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # main() asks for the exception again
