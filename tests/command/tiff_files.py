# What tests of TIFF share.
# SPDX-License-Identifier: BSD-3-Clause
import json

from harness import done


class WithTiff:
    def has_tiff(self):
        if b"TIFF," not in self.crinkle("--version") and b"TIFF\n" not in self.crinkle("--version"):
            self.skipTest("this build has no TIFF")

    def info(self, name):
        return json.loads(self.crinkle("info", name, "--json"))

    def moved(self, *words):
        """Notes of a move."""
        result = self.run_crinkle("move", *words, "--force")
        self.assertEqual(result.returncode, done, result.stderr.decode())
        return result.stderr.decode()

    def loaded(self, name):
        self.moved("... -> ...", name, "back.npy")
        return self.load("back.npy")
