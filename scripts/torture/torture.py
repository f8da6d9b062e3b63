# SPDX-License-Identifier: MIT
"""Runs the attacks in turn until the time is over, and prints the table."""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

import attacks
import kept_attacks
from commands import RESUMABLE, SPILLING
from place import POWER_SHIM, Place, Verdict


# From this time on, so many changes of temporary data must have been found and named.
LONG_MINUTES = 10
LEAST_FLIPS = 250


def options():
    parser = argparse.ArgumentParser(prog="torture.sh", description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=2, help=f"how long to attack [2]; from {LONG_MINUTES} on, until {LEAST_FLIPS} changes of temporary data were named")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices [1]")
    parser.add_argument("--only", help="names of attacks, with commas between")
    build = Path(__file__).resolve().parents[2] / "build"
    parser.add_argument("--binary", type=Path, default=build / "emgraph", help="the program [build/emgraph]")
    parser.add_argument("--shim", type=Path, default=build / "tests/libfault_shim.so", help="the library of faults")
    parser.add_argument("--directory", help="where inputs, results and temporary data lie [a new one]")
    return parser.parse_args()


def main():
    asked = options()
    if not asked.binary.exists():
        sys.exit(f"{asked.binary} is not there: build it first (scripts/build.sh)")
    shims = [asked.shim, asked.shim.with_name(POWER_SHIM)]
    missing = ", ".join(str(library) for library in shims if not library.exists())
    shim = None if missing else asked.shim
    chosen = attacks.WITHOUT_SHIM + kept_attacks.WITHOUT_SHIM
    chosen += attacks.WITH_SHIM + kept_attacks.WITH_SHIM if shim else []
    if shim is None:
        print(f"SKIPPED: faults, threads and power: not there: {missing} (targets fault_shim, power_shim)")
    if asked.only:
        only = asked.only.split(",")
        unknown = set(only) - {attack.__name__ for attack in chosen}
        if unknown:
            sys.exit(f"--only: no attack is called {', '.join(sorted(unknown))}")
        chosen = [attack for attack in chosen if attack.__name__ in only]
    directory = tempfile.mkdtemp(prefix="emgraph-torture-", dir=asked.directory)
    place = Place(asked.binary.resolve(), shim, directory)
    place.prepare()

    tried = {attack.__name__: 0 for attack in chosen}
    found = {attack.__name__: dict.fromkeys(Verdict.KINDS, 0) for attack in chosen}
    end = time.monotonic() + 60 * asked.minutes
    number = 0
    # The long form ends when enough changes were found.
    flips = [attacks.changed_in_flight, attacks.changed_at_rest] if asked.minutes >= LONG_MINUTES else []
    flips = [attack for attack in flips if attack in chosen]
    most = 4 * LEAST_FLIPS  # attempts; not every changed bit is read
    while chosen:
        if time.monotonic() < end:
            attack = chosen[number % len(chosen)]
        elif flips and place.flips < LEAST_FLIPS and most > 0:
            attack = flips[number % len(flips)]
            most -= 1
        else:
            break
        verdict = Verdict()
        attack(place, random.Random(f"{asked.seed} {number}"), verdict)
        tried[attack.__name__] += 1
        for kind, why in verdict.found.items():
            found[attack.__name__][kind] += 1
            print(f"{attack.__name__}, number {number}: {kind}: {why}", flush=True)
        number += 1

    print(f"{'attack':<20}{'tried':>7}" + "".join(f"{kind:>9}" for kind in Verdict.KINDS))
    for name in tried:
        print(f"{name:<20}{tried[name]:>7}" + "".join(f"{found[name][kind]:>9}" for kind in Verdict.KINDS))
    bad = sum(sum(kinds.values()) for kinds in found.values())
    total = sum(tried.values())
    print(
        f"{total} attempts, {place.kills} signals to runs with checkpoints, {place.flips} changes of temporary data named, "
        f"{bad} findings, seed {asked.seed}"
    )
    if place.faults:
        print("faults: " + ", ".join(f"{kind} {count}" for kind, count in sorted(place.faults.items())))
    if place.killed_kept:
        least = min(place.killed_kept[command] for command in RESUMABLE)
        print(f"runs with checkpoints: {len(place.killed_kept)} of {len(RESUMABLE)} commands had signals, each at least {least}")
    if place.flips:
        silent = [command for command in SPILLING if command not in place.named]
        print(f"changes were named by {len(place.named)} of {len(SPILLING)} commands" + "".join(f"; not by: {command}" for command in silent))
    if bad == 0:
        shutil.rmtree(directory)
    else:
        print(f"inputs and results stay in {directory}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
