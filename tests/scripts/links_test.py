#!/usr/bin/env python3
"""Links of the documents lead to files and headings that are there; the page that an index of packages shows has none that leads into this folder; the
Python package says what it is, and its source distribution has what its build reads.

SPDX-License-Identifier: BSD-3-Clause
"""
import pathlib
import re
import shlex
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "HACKING.md", *sorted((ROOT / "docs").glob("*.md"))]


def links_in(text):
    """Targets of links outside code."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
    return re.findall(r"\]\(([^()\s]+(?:\([^()\s]*\))?)\)", re.sub(r"`[^`\n]*`", lambda code: code[0] if "](" not in code[0] else "", text))


def anchors_in(text):
    """As GitHub makes them of headings."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.M)}


class Links(unittest.TestCase):
    def test_links_between_documents(self):
        n = 0
        for document in DOCUMENTS:
            for link in links_in(document.read_text()):
                if re.match(r"[a-z]+:", link):
                    continue
                n += 1
                path, _, anchor = link.partition("#")
                there = document if not path else (document.parent / path)
                with self.subTest(document=document.name, link=link):
                    self.assertTrue(there.exists())
                    if anchor and there.suffix == ".md":
                        self.assertIn(anchor, anchors_in(there.read_text()))
        self.assertGreater(n, 60)

    def test_blocks_of_the_readme_write_no_file_twice(self):
        """They are pasted one after another, and an existing file is kept."""
        written = ["small.raw", "wells.csv"]
        for block in re.findall(r"^```sh[^\n]*\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S):
            for line in block.splitlines():
                words = shlex.split(line, comments=True)
                if words[:1] != ["crinkle"]:
                    continue
                after = dict(zip(words, words[1:]))
                outputs = [after[o] for o in ("-o", "--preview") if o in after]
                files = [w for before, w in zip(words, words[1:]) if re.fullmatch(r"[\w{}]+\.(npy|png|tif|svg|csv|raw)", w) and not before.startswith("-")]
                outputs += files[1:2]
                with self.subTest(line=line):
                    self.assertEqual(set(outputs) & set(written), set())
                written += outputs
        self.assertGreater(len(written), 15)

    def test_the_package(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        shown = ROOT / project["project"]["readme"]
        self.assertEqual([link for link in links_in(shown.read_text()) if not link.startswith("https://")], [])
        self.assertRegex(shown.read_text(), r"pip install \. +# for the CPU\n +pip install \. -C cmake\.define\.CRINKLE_CUDA=ON")
        for fact in "description", "license", "authors", "keywords", "classifiers", "requires-python":
            self.assertTrue(project["project"][fact], fact)
        scikit = project["tool"]["scikit-build"]
        self.assertEqual(scikit["cmake"]["define"]["CRINKLE_CUDA"], "OFF")
        read = {"src", "include", "cmake", "tools", "python", "CMakeLists.txt", "LICENSE", "README.md"}
        for left_out in scikit["sdist"]["exclude"]:
            self.assertFalse(read & {left_out.split("/")[0]}, left_out)


if __name__ == "__main__":
    unittest.main()
