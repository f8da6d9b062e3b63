# SPDX-License-Identifier: MIT
"""Every command gives, by Python, what it gives on the command line, bit for bit."""
import copy
import inspect
import json
import math
import os
import pickle

import numpy as np
from support import Case, emgraph, main, random_edges

# What two runs need not have in common.
VARYING = {"seconds", "cpu_seconds", "phases", "io_wait_seconds", "input", "output", "graph", "threads", "read_bytes",
           "write_bytes", "memory_peak_bytes", "resident_peak_bytes", "temp_bytes_peak", "files", "map"}


class Commands(Case):
    def setUp(self):
        super().setUp()
        self.edges = random_edges()
        self.edges.tofile("e.u32")
        self.weighted = np.empty(3000, [("s", "<u4"), ("t", "<u4"), ("w", "<u4")])
        self.weighted["s"], self.weighted["t"] = self.edges[:, 0], self.edges[:, 1]
        self.weighted["w"] = np.random.default_rng(2).integers(1, 100, 3000)
        self.weighted.tofile("e.u32w")
        self.arrays = (self.weighted["s"], self.weighted["t"], self.weighted["w"])

    def same_summary(self, result, *arguments, but=()):
        expected = json.loads(self.program(*arguments, "--json"))
        # An input that comes through a pipe may be solved another way.
        how = ("memory_limit", "model", "method", "huge_page", "relabel")
        for key, value in expected.items():
            if key not in VARYING and key not in but and "seconds" not in key and not key.startswith(how):
                self.assertEqual(result.summary.get(key), value, key)

    def test_output_none_is_not_given(self):
        self.assertSame(emgraph.cc(self.edges, output=None).labels, emgraph.cc(self.edges).labels)
        self.assertEqual(emgraph.sort(self.edges, output=None).edges.to_numpy().shape, (3000,))

    def test_edges_in_an_array_file(self):
        result = emgraph.sort([("a", "b"), ("c", "b")], output="m.npy")
        self.assertEqual(result.edges.tolist(), [[0, 1], [2, 1]])
        with self.assertRaisesRegex(emgraph.UsageError, "whose edges are an array"):
            emgraph.cc(result)

    def test_the_package_says_that_it_is_typed(self):
        package = os.path.dirname(emgraph.__file__)
        for name in ("py.typed", "__init__.pyi"):
            self.assertTrue(os.path.isfile(os.path.join(package, name)), name)

    def test_node_results(self):
        for graph in ("e.u32", self.edges):
            for name, attribute, more in (("mis", "nodes", {}), ("cc", "labels", {}), ("bfs", "levels", {"root": 7}),
                                          ("stats", "degrees", {"output": True}),
                                          ("sssp", "distances", {"root": 7, "weights": "unit"})):
                with self.subTest(command=name, graph=type(graph)):
                    result = getattr(emgraph, name)(graph, **more)
                    options = [f"--{key}={value}" for key, value in more.items() if key != "output"]
                    self.program(name, "e.u32", *options, "-f", "-o", "want.npy")
                    self.assertSame(getattr(result, attribute), np.load("want.npy"))
                    self.assertFalse(getattr(result, attribute).flags.writeable)
                    self.same_summary(result, name, "e.u32", *options)

    def test_parents(self):
        for name, more in (("bfs", {}), ("sssp", {"weights": "hash"})):
            result = getattr(emgraph, name)(self.edges, root=3, parents=True, **more)
            options = [f"--{key}={value}" for key, value in more.items()]
            self.program(name, "e.u32", "--root=3", *options, "--parents", "parents.npy", "-f")
            self.assertSame(result.parents, np.load("parents.npy"))

    def test_weighted_distances(self):
        result = emgraph.sssp(self.arrays, root=5)
        self.program("sssp", "e.u32w", "--root=5", "-o", "want.npy")
        self.assertSame(result.distances, np.load("want.npy"))

    def test_pairs_and_several_roots(self):
        pairs = emgraph.sssp(self.edges, root=5, to=9, weights="unit").distances
        distance = emgraph.sssp(self.edges, root=5, weights="unit").distances[9]
        self.assertEqual(pairs, [(5, 9, int(distance))])
        levels = emgraph.bfs(self.edges, root=[3, 4]).levels
        self.assertEqual(sorted(levels), [3, 4])
        self.assertSame(levels[4], emgraph.bfs(self.edges, root=4).levels)
        with self.assertRaisesRegex(emgraph.UsageError, "roots: root says the same"):
            emgraph.bfs(self.edges, root=0, roots=[3, 4])

    def test_roots_in_a_file_of_queries(self):
        path = (np.arange(3), np.arange(1, 4), np.array([5, 7, 9]))
        for roots in ([0, 2], [1]):
            with open("q.ss", "w", encoding="ascii") as file:
                file.write(f"p aux sp ss {len(roots)}\n" + "".join(f"s {root + 1}\n" for root in roots))
            for more in ({"parents": True}, {"output": "d-{root}.npy", "parents": "p-{root}.npy", "force": True}):
                found = emgraph.sssp(path, queries="q.ss", **more)
                for root in roots:
                    alone = emgraph.sssp(path, root=root, parents=True)
                    self.assertSame(found.distances[root], alone.distances)
                    self.assertSame(found.parents[root], alone.parents)
                self.assertEqual((sorted(found.distances), sorted(found.parents)), (roots, roots))
        with open("q.ss", "w", encoding="ascii") as file:
            file.write("p aux sp ss 2\ns 101\ns 103\n")
        found = emgraph.sssp((path[0] + 100, path[1] + 100), queries="q.ss", weights="unit", relabel=True)
        self.assertEqual(found.distances[102].tolist(), [2, 1, 0, 1])
        self.assertEqual(emgraph.cc(path, output="x-{root}.npy").labels.tolist(), [0] * 4)

    def test_distances_of_pairs_have_the_type_of_the_weights(self):
        with open("q.p2p", "w", encoding="ascii") as file:
            file.write("p aux sp p2p 3\nq 1 2\nq 1 3\nq 1 5\n")
        whole = np.array([2, 2**62 + 3, 2**64 - 1], np.uint64)
        for weights, distances, table in (([2, 2**62 + 1, 1], [2, 2**62 + 3, math.inf], whole),
                                          ([2.0, 1.0, 1.0], [2.0, 3.0, math.inf], np.array([2, 3, math.inf]))):
            pairs = emgraph.sssp(([0, 1, 3], [1, 2, 4], weights), queries="q.p2p")
            self.assertEqual([row[2] for row in pairs.distances], distances)
            self.assertEqual([type(row[2]) for row in pairs.distances], list(map(type, distances)))
            self.assertSame(emgraph._results._distances(distances), table)

    def test_the_stub_has_scalars_and_arrays_of_numpy(self):
        with open(emgraph.__file__ + "i", encoding="utf-8") as file:
            stub = file.read()
        self.assertIn('_Value = Union[str, int, float, "np.integer[Any]", "np.floating[Any]"]', stub)
        for option in ("root: Union[None, _Value, Sequence[_Value], NDArray[Any]]", "to: Optional[_Value]",
                       "min_weight: Optional[_Value]"):
            self.assertIn(f"    {option} = None,\n", stub)

    def test_classes_of_results_and_copies(self):
        found = emgraph.cc(self.edges)
        self.assertIs(type(found), emgraph.CcResult)
        self.assertSame(pickle.loads(pickle.dumps(found)).labels, found.labels)
        edges = emgraph.sort(self.edges).edges
        with self.assertRaisesRegex(TypeError, "edges of a result map a file, so they cannot be pickled"):
            pickle.dumps(edges)
        copied = copy.copy(edges)
        del edges
        with open("/dev/null", "rb"):  # it would take the number of a closed descriptor
            self.assertEqual(emgraph.cc(copied).summary["edges"], 3000)

    def test_triangles(self):
        result = emgraph.triangles(self.edges, per_node=True, list=True)
        self.program("triangles", "e.u32", "--per-node", "n.npy", "--list", "l.npy")
        self.assertSame(result.per_node, np.load("n.npy"))
        self.assertSame(result.list, np.load("l.npy"))
        self.same_summary(result, "triangles", "e.u32")
        count = emgraph.triangles(self.edges)
        self.assertEqual(count.summary["triangles"], len(result.list))
        with self.assertRaisesRegex(AttributeError, "per_node=True"):
            count.per_node

    def test_edge_results(self):
        for name, graph, more in (("sort", "e.u32", {"unique": True}), ("dedup", "e.u32", {"orient": "low"}),
                                  ("convert", "e.u32w", {}), ("mst", "e.u32w", {}), ("mst", "e.u32", {"weights": "hash"})):
            options = [f"--{k}" if v is True else f"--{k}={v}" for k, v in more.items()]
            self.program(name, graph, *options, "-f", "-o", "want.emg")
            for given in (graph, self.arrays if graph == "e.u32w" else self.edges):
                with self.subTest(command=name, graph=type(given)):
                    edges = getattr(emgraph, name)(given, **more).edges
                    self.assertSame(edges.to_numpy(), emgraph.Edges("want.emg").to_numpy())
        self.assertSame(emgraph.convert("e.u32w").edges.weight, self.weighted["w"])
        self.assertSame(emgraph.convert(self.edges).edges.target, self.edges[:, 1])

    def test_generated_edges_of_many_blocks(self):
        result = emgraph.gen(edges="200k", weights="1:9", seed=3)
        self.program("gen", "--edges=200k", "--weights=1:9", "--seed=3", "-o", "g.u32w")
        want = np.fromfile("g.u32w", self.weighted.dtype)
        edges = result.edges
        self.assertEqual((len(edges), edges.nodes), (200000, result.summary["nodes"]))
        self.assertSame(edges.source, want["s"])
        self.assertSame(edges.weight, want["w"])
        self.assertEqual(sum(len(batch) for batch in edges.batches(50000)), 200000)
        # A result is an input.
        self.program("mst", "g.u32w", "-o", "want.emg")
        self.assertSame(emgraph.mst(edges).edges.to_numpy(), emgraph.Edges("want.emg").to_numpy())
        self.assertSame(emgraph.mst(result).edges.to_numpy(), emgraph.Edges("want.emg").to_numpy())

    def test_checks(self):
        for name, attribute, more in (("mis", "nodes", {}), ("cc", "labels", {}), ("bfs", "levels", {"root": 7}),
                                      ("triangles", "per_node", {}), ("sssp", "distances", {"root": 7, "weights": "unit"})):
            with self.subTest(command=name):
                found = getattr(getattr(emgraph, name)(self.edges, **more, **{attribute: True} if name == "triangles" else {}),
                                attribute)
                check = getattr(emgraph, "check_" + name)
                right = check(self.edges, found, **more)
                self.assertIs(right.ok, True)
                self.assertTrue(right)
                wrong = np.array(found)
                wrong[-1] = wrong[-1] - 1 if name != "cc" else 399
                bad = check("e.u32", wrong, **more)
                self.assertIs(bad.ok, False)
                self.assertFalse(bad)
                self.assertNotEqual(bad.summary["verdict"], "ok")
        with open("names.csv", "w", encoding="ascii") as file:
            file.writelines(f"n{source},n{target}\n" for source, target in self.edges)
        found = emgraph.cc("names.csv", labels=True)
        self.assertTrue(emgraph.check_cc("names.csv", result=found.labels, labels=True))
        self.assertTrue(emgraph.check_mst(self.arrays, emgraph.mst(self.arrays)).ok)
        self.assertTrue(emgraph.check_sorted(emgraph.sort(self.edges)).ok)
        self.assertFalse(emgraph.check_sorted(self.edges).ok)

    def test_results_are_arguments(self):
        for name in ("cc", "mis", "bfs", "kcore", "scc", "lcc", "pagerank"):
            more = {"root": 7} if name == "bfs" else {}
            found = getattr(emgraph, name)(self.edges, **more)
            self.assertTrue(getattr(emgraph, "check_" + name)(self.edges, found, **more), name)
        triangles = emgraph.triangles(self.edges, per_node=True, list=True)
        self.assertTrue(emgraph.check_triangles(self.edges, triangles, list=triangles))
        levels = emgraph.bfs(self.edges, root=7, parents=True)
        self.assertTrue(emgraph.check_bfs(self.edges, levels, parents=levels))
        nodes = emgraph.mis(self.edges)
        self.assertEqual(emgraph.cc(self.edges, nodes_in=nodes).summary["components"], 400)
        for check, found, words in ((emgraph.check_cc, nodes, "result: found a result of mis; name the array that is meant: nodes"),
                                    (emgraph.check_bfs, emgraph.bfs(self.edges, root=[1, 2]), "levels: found dict, expected"),
                                    (emgraph.check_cc, emgraph.cc(self.edges, output=False), "result: labels was not asked for")):
            with self.subTest(words), self.assertRaisesRegex(emgraph.UsageError, words):
                check(self.edges, found)

    def test_plan(self):
        plan = emgraph.plan("cc", "e.u32", memory="1G", output=False)
        expected = json.loads(self.program("plan", "cc", "e.u32", "--json", "-M1G"))
        self.assertEqual(plan.summary["memory_peak_bytes"], expected["memory_peak_bytes"])
        self.assertEqual(emgraph.plan("bfs", "e.u32", root=7).summary["planned"], "bfs")
        self.assertEqual(emgraph.plan("gen", edges="1M").summary["edges"], 1000000)
        self.assertEqual(emgraph.plan("mst", emgraph.convert("e.u32w")).summary["edges"], 3000)
        with self.assertRaisesRegex(emgraph.UsageError, "tables and arrays do not"):
            emgraph.plan("cc", self.edges)
        with self.assertRaisesRegex(emgraph.UsageError, "plan: found 'cd', expected the name of a command"):
            emgraph.plan("cd", "e.u32")
        with self.assertRaisesRegex(TypeError, r"cc\(\) got an unexpected keyword argument 'memry'"):
            emgraph.plan("cc", "e.u32", memry="1G")

    def test_names_of_several_roots(self):
        emgraph.bfs(self.edges, root=9, output="r{root}.npy")
        levels = emgraph.bfs(self.edges, root=[3, 4], output="r{root}.npy").levels
        self.assertEqual(sorted(levels), [3, 4])
        with self.assertRaisesRegex(AttributeError, "levels is not mapped: it is in r{root}.tsv"):
            emgraph.bfs(self.edges, root=[3, 4], output="r{root}.tsv").levels

    def test_forest_and_text(self):
        forest = emgraph.cc(self.edges, forest=True).forest
        self.program("cc", "e.u32", "--forest", "f.emg")
        self.assertSame(forest.to_numpy(), emgraph.Edges("f.emg").to_numpy())
        self.assertEqual(emgraph.cat(self.edges, head=3).text, self.program("cat", "e.u32", "--head=3").decode())
        self.assertIn("<html", emgraph.stats(self.edges, html=True).html)
        self.assertEqual(emgraph.info("e.u32").summary["edges"], 3000)

    def test_bench_and_files_of_the_user(self):
        self.assertIn("seconds", emgraph.bench_queue(size="1M", memory="16M", quick=True).summary)
        result = emgraph.cc(self.edges, output="mine.npy")
        self.assertSame(np.load("mine.npy"), result.labels)
        self.assertEqual(result.summary["output"], "mine.npy")
        with self.assertRaisesRegex(emgraph.UsageError, "exists already"):
            emgraph.cc(self.edges, output="mine.npy")
        emgraph.cc(self.edges, output="mine.npy", force=True)
        self.assertNotIn("output", emgraph.cc(self.edges).summary)
        with self.assertRaisesRegex(AttributeError, "output=True"):
            emgraph.cc(self.edges, output=False).labels
        with self.assertRaisesRegex(emgraph.UsageError, "codec"):
            emgraph.sort(self.edges, codec="delta")
        coded = emgraph.sort(self.edges, codec="delta", output="coded.emg")
        with self.assertRaisesRegex(AttributeError, "coded.emg"):
            coded.edges
        self.assertTrue(emgraph.check_sorted("coded.emg"))
        emgraph.cc(self.edges, output="text.tsv")
        with open("text.tsv", encoding="ascii") as text:
            self.assertEqual(len(text.readlines()), 400)

    def test_every_command_and_option_is_there(self):
        description = json.loads(self.program("--generate", "json"))
        self.assertEqual(emgraph.__version__, description["version"])
        for command in description["commands"]:
            function = getattr(emgraph, command["name"].replace(" ", "_"))
            known = inspect.signature(function).parameters
            self.assertEqual(len(known), len(set(known)))
            for option in command["options"]:
                if option["positional"]:
                    continue
                name = option["name"].lstrip("-").replace("-", "_").lower()
                if name in ("json", "quiet", "help", "help_all"):
                    continue
                self.assertTrue(name in known or name + "_" in known, f"{command['name']}: {name}")
            self.assertTrue(function.__doc__.startswith(command["sentence"]))

    def test_every_command_gives_the_bytes_of_the_command_line(self):
        """Goes over the generated description: a command without an entry here fails."""
        self.program("mis", "e.u32", "-o", "nodes.npy")
        self.program("cc", "e.u32", "-o", "labels.npy")
        self.program("triangles", "e.u32", "--per-node", "counts.npy")
        self.program("bfs", "e.u32", "--root=7", "-o", "levels.npy")
        self.program("sssp", "e.u32w", "--root=7", "-o", "distances.npy")
        self.program("mst", "e.u32w", "-o", "forest.emg")
        self.program("pagerank", "e.u32", "-o", "ranks.npy")
        self.program("kcore", "e.u32", "-o", "cores.npy")
        self.program("cdlp", "e.u32", "-o", "communities.npy")
        self.program("lcc", "e.u32", "-o", "coefficients.npy")
        self.program("scc", "e.u32", "-o", "strong.npy")
        self.program("sort", "e.u32", "-o", "sorted.emg")
        one = "e.u32"
        calls = {  # the arguments, options alike in both, and the outputs: option -> name of the file
            "gen": ([], {"edges": "5k", "seed": 4}, {"output": "g.emg"}),
            "sort": ([one], {"unique": True}, {"output": "s.emg"}),
            "dedup": ([one], {}, {"output": "d.emg"}),
            "convert": (["e.u32w"], {}, {"output": "c.tsv"}),
            "filter": ([one], {"sample": "0.5"}, {"output": "f.emg"}),
            "mis": ([one], {}, {"output": "m.npy"}),
            "cc": ([one], {}, {"output": "c.npy", "forest": "f.emg", "sizes": "s.npy", "groups": "g.npy"}),
            "triangles": ([one], {}, {"per_node": "t.npy", "list": "l.npy"}),
            "bfs": ([one], {"root": 7}, {"output": "b.npy", "parents": "p.npy"}),
            "sssp": (["e.u32w"], {"root": 7}, {"output": "d.npy", "parents": "p.npy"}),
            "mst": (["e.u32w"], {}, {"output": "f.emg"}),
            "pagerank": ([one], {"iterations": 3}, {"output": "r.npy"}),
            "cdlp": ([one], {"iterations": 3}, {"output": "l.npy"}),
            "lcc": ([one], {}, {"output": "l.npy"}),
            "kcore": ([one], {}, {"output": "k.npy"}),
            "scc": ([one], {}, {"output": "l.npy", "condensation": "c.emg"}),
            "info": ([one], {}, {}),
            "stats": ([one], {}, {"output": "d.npy", "html": "page.html"}),
            "cat": ([one], {"head": 9}, {"output": "text.tsv"}),
            "plan": None,  # its arguments are those of another command
            "check mis": ([one, "nodes.npy"], {}, {}),
            "check cc": ([one, "labels.npy"], {}, {}),
            "check triangles": ([one, "counts.npy"], {}, {}),
            "check bfs": ([one, "levels.npy"], {"root": 7}, {}),
            "check mst": (["e.u32w", "forest.emg"], {}, {}),
            "check sssp": (["e.u32w", "distances.npy"], {"root": 7}, {}),
            "check pagerank": ([one, "ranks.npy"], {}, {}),
            "check cdlp": ([one, "communities.npy"], {}, {}),
            "check lcc": ([one, "coefficients.npy"], {}, {}),
            "check scc": ([one, "strong.npy"], {}, {}),
            "check kcore": ([one, "cores.npy"], {}, {}),
            "check sorted": (["sorted.emg"], {}, {}),
            # Measurements differ from run to run.
            "bench disks": None, "bench sort": None, "bench queue": None, "bench mis": None, "graph500": None,
            "graphalytics": None,
        }
        names = [command["name"] for command in json.loads(self.program("--generate", "json"))["commands"]]
        self.assertEqual(sorted(names), sorted(calls))
        for name in names:
            if calls[name] is None:
                continue
            arguments, options, outputs = calls[name]
            with self.subTest(name):
                line = [*name.split(), *arguments] + [f"--{k}" if v is True else f"--{k}={v}" for k, v in options.items()]
                files = [f"--{option.replace('_', '-')}=want-{file}" for option, file in outputs.items()]
                result = getattr(emgraph, name.replace(" ", "_"))(*arguments, **options, **outputs)
                if name == "cat":  # prints text, without a summary
                    self.program(*line, *files)
                else:
                    self.same_summary(result, *line, *files, but=outputs)
                for file in outputs.values():
                    with open(file, "rb") as found, open("want-" + file, "rb") as want:
                        self.assertEqual(found.read().replace(file.encode(), b""),
                                         want.read().replace(b"want-" + file.encode(), b""), file)
                    os.remove(file)
                    os.remove("want-" + file)

    def test_keywords(self):
        with self.assertRaisesRegex(TypeError, r"cc\(\) got an unexpected keyword argument 'memry' \(did you mean 'memory'"):
            emgraph.cc("e.u32", memry="1G")
        with self.assertRaisesRegex(TypeError, "missing argument: input"):
            emgraph.cc()
        with self.assertRaises(TypeError):
            emgraph.cc("e.u32", "e.u32")
        result = emgraph.cc("e.u32", temp_dirs=[self.temporary, self.temporary], memory=64 << 20, threads=1, verbose=1)
        self.assertEqual(result.summary["memory_limit_bytes"], 64 << 20)
        self.assertTrue(any("64.0 MiB" in line for line in result.messages))
        self.assertSame(emgraph.cc((self.edges[:, 0], self.edges[:, 1]), seed=2).labels, emgraph.cc(input="e.u32").labels)


if __name__ == "__main__":
    main()
