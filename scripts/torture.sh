#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Attacks emgraph: torture.sh [MINUTES] [--seed N] [--only ATTACK,…] [--binary FILE] [--directory DIR]. Kills, power
# cuts, faults of the system once and for ever, changed temporary data and checkpoints, few threads, full disks, runs
# beside each other, changing and hostile inputs, each against the answer of an undisturbed run. Prints a table; exit
# code 1 if anything went wrong.
set -euo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/torture/torture.py" "$@"
