# Plans by measurement, as a person asks for them: the same bytes, a file that remembers, and files that are left alone. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import os

import numpy as np
from harness import CommandTest, filled

move = ["move", "y x -> x y", "in.npy", "out.npy", "--force", "--threads", "2"]


class MeasuredPlans(CommandTest):
    def setUp(self):
        super().setUp()
        self.save("in.npy", filled((40, 70), "<f4", self.random))
        (self.folder / "home").mkdir()
        (self.folder / "cache").mkdir()

    def explained(self, *options, **variables):
        """What --explain says; the result is compared with NumPy's."""
        environment = {"PATH": os.environ["PATH"], **{name: str(value) for name, value in variables.items()}}
        result = self.run_crinkle(*move, "--explain", "--verify", *options, env=environment)
        self.assertEqual((result.returncode, result.stdout), (0, b""), result.stderr)
        self.assert_same(self.load("out.npy"), self.load("in.npy").T)
        return result.stderr.decode()

    def entries(self, path):
        return json.loads((self.folder / path).read_text())["entries"]

    def test_what_was_measured_is_found_again(self):
        options = ["--plan", "measure", "--plan-cache", "plans.json"]
        self.assertRegex(self.explained(*options), r"\n  as measured now: on \d threads?, stored \w+ the caches, .*estimate\n")
        before = (self.folder / "plans.json").read_bytes()
        self.assertRegex(self.explained(*options), r"\n  as chosen before, from the cache file: on \d threads?, .*estimate\n")
        self.assertEqual((self.folder / "plans.json").read_bytes(), before)
        entry, = self.entries("plans.json")
        self.assertEqual(set(entry), {"cpu", "kernels", "version", "threads", "step", "choice"})
        for words in [[], ["--plan", "estimate"]]:
            self.assertNotIn("measured", self.explained(*words))

    def test_the_usual_file_is_where_caches_are(self):
        self.explained("--plan", "measure", HOME=self.folder / "home", XDG_CACHE_HOME=self.folder / "cache" / "deep")
        self.assertEqual(len(self.entries("cache/deep/crinkle/plans.json")), 1)
        for variables in [{}, {"XDG_CACHE_HOME": "relative"}, {"XDG_CACHE_HOME": ""}]:
            self.explained("--plan", "measure", HOME=self.folder / "home", **variables)
            self.assertEqual(len(self.entries("home/.cache/crinkle/plans.json")), 1)
        self.assertEqual(os.listdir(self.folder / "home" / ".cache" / "crinkle"), ["plans.json"])
        self.assertIn("as measured now", self.explained("--plan", "measure"))  # no home, no file
        self.assertFalse((self.folder / "relative").exists())

    def test_a_file_that_cannot_be_written_is_a_note(self):
        said = self.explained("--plan", "measure", "--plan-cache", "nowhere/plans.json")
        self.assertIn("crinkle: note: nowhere/plans.json: what was measured could not be kept: No such file or directory\n", said)
        self.assertIn("as measured now", said)

    def test_foreign_and_damaged_files_are_left_alone(self):
        (self.folder / "text.json").write_text("mine")
        (self.folder / "damaged.json").write_text('{"crinkle_plans": 1, "entries": [')
        for path in ["text.json", "damaged.json", "in.npy", "home"]:
            self.refused(1, "move", "y x -> x y", "in.npy", "new.npy", "--plan", "measure", "--plan-cache", path, says=["crinkle: bad_file: " + path, "remove it"], lines=1)

    def test_moves_in_slabs_stay_as_estimated(self):
        said = self.explained("--plan", "measure", "--plan-cache", "plans.json", CRINKLE_FORCE="slab_bytes=1000")
        self.assertIn("\nas estimated, not measured: it moves in slabs", said)
        self.assertFalse((self.folder / "plans.json").exists())
        said = self.explained("--plan", "measure", "--plan-cache", "plans.json", "--slice", "y=:", "--byte-order", "little")
        self.assertIn("as measured now", said)

    def test_a_result_on_standard_output_is_the_same(self):
        raw = self.crinkle("move", "y x -> x y", "in.npy", "-", "--plan", "measure", "--plan-cache", "plans.json")
        self.assertEqual(raw, np.ascontiguousarray(self.load("in.npy").T).tobytes())

    def test_wrong_requests(self):
        self.refused(2, "move", "y x -> x y", "in.npy", "out.npy", "--plan", "guess", says="--plan 'guess': it is estimate or measure", lines=1)
        self.refused(2, "move", "y x -> x y", "in.npy", "out.npy", "--plan-cache", "plans.json", says="--plan-cache is for --plan measure", lines=1)


if __name__ == "__main__":
    harness.main()
