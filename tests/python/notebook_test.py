# SPDX-License-Identifier: MIT
"""The example notebook runs: by nbclient, or, where that is missing, its cells one after the other."""
import json
import os

from support import Case, main, needs

NOTEBOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/examples/components.ipynb")


@needs("pyarrow", "matplotlib")
class Notebook(Case):
    def setUp(self):
        super().setUp()
        os.environ["MPLCONFIGDIR"] = self.work

    def test_cells_as_a_script(self):
        with open(NOTEBOOK, encoding="utf-8") as file:
            notebook = json.load(file)
        code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(code), 4)
        exec(compile("\n".join(code), NOTEBOOK, "exec"), {})  # pylint: disable=exec-used

    @needs("nbclient", "nbformat", "ipykernel")
    def test_by_jupyter(self):
        import nbclient
        import nbformat

        os.environ["IPYTHONDIR"] = os.environ["JUPYTER_RUNTIME_DIR"] = self.work
        try:
            notebook = nbclient.NotebookClient(nbformat.read(NOTEBOOK, 4), timeout=100, kernel_name="python3").execute()
        finally:
            del os.environ["IPYTHONDIR"], os.environ["JUPYTER_RUNTIME_DIR"]
        plots = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
        self.assertEqual(len(plots), 1)


if __name__ == "__main__":
    main()
