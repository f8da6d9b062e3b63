# SPDX-License-Identifier: MIT
"""Shows --progress json: to a function of the user, or as a bar of tqdm."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Optional, Union

from ._errors import EmgraphWarning

#: False or None: none; True: a bar; a function of the phase's name and the share that is done (None: unknown).
Progress = Union[None, bool, Callable[[str, Optional[float]], Any]]


class Display:
    """Receives the lines of one run; close() ends the bar."""

    def __init__(self, progress: Progress) -> None:
        self._function = progress if callable(progress) else None
        self._bars: Any = None
        self._bar: Any = None
        self._phase = ""
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                warnings.warn("progress=True needs tqdm", EmgraphWarning, stacklevel=5)
            else:
                self._bars = tqdm

    @property
    def wanted(self) -> bool:
        return self._function is not None or self._bars is not None

    def show(self, line: dict) -> None:
        if self._function is not None:
            share = None
            if line["finished"]:
                share = 1.0
            elif line["total"]:
                share = min(1.0, line["done"] / line["total"])
            self._function(line["phase"], share)
        if self._bars is None:
            return
        if self._bar is None or self._phase != line["phase"]:
            self.close()
            self._phase = line["phase"]
            self._bar = self._bars(total=line["total"], desc=self._phase, unit=" " + line["unit"], unit_scale=True)
        self._bar.update(line["done"] - self._bar.n)
        if line["finished"]:
            self.close()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None
