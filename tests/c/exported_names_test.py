# What shared libraries show other programs: libcrinkle_c.so the functions of crinkle.h, the command's module for geographic files its entry. Copies of
# other people's functions among them (the C++ library's, where a compiler links it in) would take the place of the program's own.
# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

folder = pathlib.Path(os.environ.get("CRINKLE", "crinkle")).parent
header = pathlib.Path(__file__).parents[2] / "include/crinkle/crinkle.h"


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", "--without-symbol-versions", library], capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


class ExportedNames(unittest.TestCase):
    def test_the_shared_library_exports_what_its_header_declares(self):
        library = folder / "libcrinkle_c.so"
        if not library.exists():
            self.skipTest(f"{library} was not built")
        declared = set(re.findall(r"\b(crinkle_\w+)\(", re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)))
        self.assertGreater(len(declared), 20)
        self.assertEqual(exported(library), declared)

    def test_the_module_for_geographic_files_exports_its_entry(self):
        library = folder / "libcrinkle_gdal.so"
        if not library.exists():
            self.skipTest(f"{library} was not built")
        self.assertEqual(exported(library), {"crinkle_gdal"})


if __name__ == "__main__":
    if shutil.which("nm") is None:
        print("skipped: there is no nm")
        sys.exit(77)
    unittest.main()
