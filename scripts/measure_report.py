# SPDX-License-Identifier: MIT
"""Summarises the runs of measure.py: medians, comparison of answers, ratios to peers or to another build, the tables."""
import statistics


def phases_of(summary):
    """Name -> seconds of the phases of emgraph, or of another program as found in its messages."""
    if "phases" in summary:
        return {p["name"]: p["seconds"] for p in summary["phases"]}
    return {key.removesuffix("_seconds"): value for key, value in summary.items() if key.endswith("_seconds")}


def summarise(record, problem, answer):
    runs = record["runs"]
    errors = [problem] if problem else [r["error"] for r in runs if "error" in r]
    if errors or not runs:
        record["error"] = errors[0] if errors else "not run"
        return
    for key in ("wall_seconds", "user_seconds", "system_seconds", "cpu_seconds", "max_rss_mib", "read_bytes", "write_bytes",
                "io_bytes"):
        record[key] = statistics.median(r[key] for r in runs)
    record["wall_range"] = [min(r["wall_seconds"] for r in runs), max(r["wall_seconds"] for r in runs)]
    kernel = [r["summary"][record["kernel"]] for r in runs if record["kernel"] in r["summary"]]
    if kernel:
        record["kernel_seconds"] = statistics.median(kernel)
    peaks = [r["cgroup_peak_mib"] for r in runs if "cgroup_peak_mib" in r]
    record["cgroup_peak_mib"] = max(peaks) if peaks else None
    phases = [phases_of(r["summary"]) for r in runs]
    record["phases"] = {name: statistics.median(p[name] for p in phases if name in p) for name in phases[0]}
    answers = [{key: r["summary"][key] for key in answer if key in r["summary"]} for r in runs]
    record["answer"] = answers[0]
    if not record["wrong"] and any(other != answers[0] for other in answers):
        record["error"] = f"the answer changed between runs: {answers}"


def compare_answers(records):
    """Marks all records of an input if they have different answers."""
    for name in {r["input"] for r in records} - {""}:
        group = [r for r in records if r["input"] == name and not r["wrong"] and "error" not in r]
        for key in {key for r in group for key in r["answer"]}:
            found = {r["answer"][key] for r in group if key in r["answer"]}
            for record in group if len(found) > 1 else []:
                record["error"] = f"{key} is {record['answer'].get(key)}, programs say {sorted(found)}"


def add_ratios(records):
    """For each job: the best peer's value of a quantity divided by emgraph's."""
    peers = [r for r in records if r["peer"] and "error" not in r]
    for record in records:
        if peers and not record["peer"] and "error" not in record:
            keys = ("wall_seconds", "cpu_seconds", "io_bytes", *(["kernel_seconds"] if "kernel_seconds" in record else []))
            record["ratio"] = {key: min(p[key] for p in peers if key in p) / record[key] if record[key] else None for key in keys}


def table(records):
    head = ["job", "program", "wall s (range)", "of it, s", "CPU s (user + system)", "max RSS MiB", "group peak MiB",
            "read + written GB", "M edges/s", "answer", "peer / ours: wall, CPU, bytes, kernel"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for r in records:
        if "error" in r:
            lines.append(f"| {r['job']} | {r['program']} | failed: {r['error']} |" + " |" * (len(head) - 3))
            continue
        low, high = r["wall_range"]
        ratio = r.get("ratio", {}).values()
        lines.append("| " + " | ".join([
            r["job"], r["program"], f"{r['wall_seconds']:.2f} ({low:.2f}-{high:.2f})",
            ", ".join(f"{name} {seconds:.2f}" for name, seconds in r["phases"].items() if seconds >= 0.005),
            f"{r['cpu_seconds']:.1f} ({r['user_seconds']:.1f} + {r['system_seconds']:.1f})",
            f"{r['max_rss_mib']:.0f}", str(r["cgroup_peak_mib"] or ""),
            f"{r['read_bytes'] / 1e9:.2f} + {r['write_bytes'] / 1e9:.2f}",
            f"{r['edges'] / r.get('kernel_seconds', r['wall_seconds']) / 1e6:.1f}",
            ", ".join(f"{key} {value:,}" for key, value in r["answer"].items()) + (" (wrong)" if r["wrong"] else ""),
            ", ".join("-" if value is None else f"{value:.2f}" for value in ratio)]) + " |")
    return "\n".join(lines)


def compared_builds(records):
    """A row per job: the other build, which ran first in each turn, and this one. Other work on the machine only adds time, so
    the least time of each is compared."""
    lines = ["| job | CPU s: the other build, this one, ratio | wall s | answer |", "|---|---|---|---|"]
    for before, now in zip(records[::2], records[1::2]):
        problem = now.get("error", before.get("error"))
        if problem:
            lines.append(f"| {now['job']} | failed: {problem} | | |")
            continue
        cells = []
        for key in ("cpu_seconds", "wall_seconds"):
            least = [min(r[key] for r in record["runs"]) for record in (before, now)]
            cells.append(f"{least[0]:.2f}, {least[1]:.2f}, {least[1] / least[0]:.3f}")
        answer = ", ".join(f"{key} {value:,}" for key, value in now["answer"].items())
        lines.append(f"| {now['job']} | {cells[0]} | {cells[1]} | {answer} |")
    return "\n".join(lines)
