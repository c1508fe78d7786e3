# Tables as programs write them: empty lines, delimiters that Excel says, words and numbers for missing values, decimal commas, names with
# commas; and files that are no tables, by their names.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import numpy as np

from harness import CommandTest, done, failed, wrong

grid = ["--cell", 1, "--extent", "0,0,3,1", "--statistic", "sum,count"]


class Tables(CommandTest):
    def write(self, text, name="in.csv"):
        (self.folder / name).write_text(text)

    # The sums in three cells beside each other, NaN where there is no sample.
    def sums(self, *options, name="in.csv", value="v"):
        result = self.run_crinkle("grid", name, "out.npy", "--value", value, *grid, *options, "--force")
        self.assertEqual(result.returncode, done, result.stderr.decode())
        self.said = result.stderr.decode()
        return self.load("out.npy")[0, 0].tolist()

    def test_lines_before_the_header(self):
        rows = "x,y,v\n0.5,0.5,1\n1.5,0.5,2\n2.5,0.5,3\n"
        for text in ["\n\n" + rows, " \n\r\n# a comment\n\n" + rows, "\ufeff\n" + rows, "sep=,\n" + rows, "\nsep=,\r\n\n" + rows,
                     "sep=;\n" + rows.replace(",", ";"), "SEP=\t\n" + rows.replace(",", "\t"), '"sep=|"\n' + rows.replace(",", "|")]:
            with self.subTest(text):
                self.write(text)
                self.assertEqual(self.sums(), [1, 2, 3])
        self.write("\n\n")
        self.refused(failed, "grid", "in.csv", "no.npy", "--value", "v", *grid, says="is empty")

    def test_words_for_missing_values(self):
        for word in ["-nan", "<NA>", "NaT", "#DIV/0!", "#N/A", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "NULL", "+nan", ""]:
            with self.subTest(word):
                self.write(f"x,y,v\n0.5,0.5,1\n1.5,0.5,{word}\n2.5,0.5,3\n")
                np.testing.assert_array_equal(self.sums(), [1, np.nan, 3])
                self.assertIn("1 of 3 records", self.said)

    def test_a_sign_behind_a_sign_is_no_number(self):
        self.write("x,y,v\n0.5,0.5,+1\n1.5,0.5,+-5\n")
        self.refused(failed, "grid", "in.csv", "no.npy", "--value", "v", *grid, says=["line 3", "'+-5' is no number"])

    def test_numbers_that_stand_for_none(self):
        self.write("x,y,v\n0.5,0.5,1\n1.5,0.5,-999.00\n2.5,0.5,n.d.\n")
        np.testing.assert_array_equal(self.sums("--missing", "-999,n.d."), [1, np.nan, np.nan])
        self.refused(failed, "grid", "in.csv", "no.npy", "--value", "v", *grid, "--missing", "-999", "--strict", says="'-999.00' is a missing value")
        self.write("x,y,v\n0,0.5,0\n1.5,0.5,2\n2.5,0.5,0\n")
        np.testing.assert_array_equal(self.sums("--missing", 0), [np.nan, 2, np.nan])  # a place at 0 is a place
        self.write("x,y,v\n0,0.5,5\n1.5,0.5,0\n")
        np.testing.assert_array_equal(self.sums("--missing", 0), [5, np.nan, np.nan])
        self.sums("--missing", -9999)
        self.assertIn("no value is --missing -9999", self.said)
        self.save("in.npy", np.array([[0.5, 0.5, 1], [1.5, 0.5, -999]]))
        np.testing.assert_array_equal(self.sums("--missing", -999, name="in.npy", value="2"), [1, np.nan, np.nan])

    def test_decimal_commas(self):
        for text in ["x;y;v\n0,5;0,5;1,25\n1,5;0,5;2\n", "x\ty\tv\n0,5\t0,5\t1,25\n1,5\t0,5\t2\n", 'x,y,v\n"0,5","0,5","1,25"\n"1,5","0,5",2\n', "x y v\n0,5 0,5 1,25\n1,5 0,5 2\n",
                     "x;y;v, m\n0,5;0,5;1,25\n1,5;0,5;2\n"]:
            with self.subTest(text):
                self.write(text)
                np.testing.assert_array_equal(self.sums("--decimal", ",", value='"v, m"' if "v, m" in text else "v"), [1.25, 2, np.nan])
        self.write("x;y;v\n0,5;0,5;1.25\n")
        self.refused(failed, "grid", "in.csv", "no.npy", "--value", "v", *grid, "--decimal", ",", says=["'1.25' is no number", "as --decimal says"])
        self.refused(failed, "grid", "in.csv", "no.npy", "--value", "v", *grid, says=["'0,5' is no number", "or with --decimal , a comma"])
        self.refused(wrong, "grid", "in.csv", "no.npy", "--value", "v", *grid, "--decimal", "x", says=". or ,")
        self.write("x,y,v\n0,5,0,5,1,25\n")
        self.refused(failed, "grid", "in.csv", "no.npy", "--value", "v", *grid, says=["6 fields where the header line has 3", "--decimal ,"])
        self.save("in.npy", np.zeros((3, 3)))
        self.sums("--decimal", ",", name="in.npy", value="2")
        self.assertIn("--decimal , is of CSV, and in.npy is none", self.said)
        self.sums("--delimiter", ";", name="in.npy", value="2")
        self.assertIn("--delimiter ; is of CSV", self.said)

    def test_a_name_with_a_comma(self):
        self.write('x,y,"height, m",v\n0.5,0.5,7,1\n1.5,0.5,8,2\n')
        np.testing.assert_array_equal(self.sums(value="height, m"), [7, 8, np.nan])
        np.testing.assert_array_equal(self.sums(value='"height, m"'), [7, 8, np.nan])
        self.sums(value='v, "height, m"')
        np.testing.assert_array_equal(self.load("out.npy")[0, :, 0], [[1, 2, np.nan], [7, 8, np.nan]])
        self.refused(failed, "grid", "in.csv", "no.npy", "--value", "height,v", *grid, says=["there is no column 'height'", "in quotes"])
        self.refused(wrong, "grid", "in.csv", "no.npy", "--value", '"height, m', *grid, says="a quote begins")

    def test_what_is_no_table_is_called_by_its_name(self):
        for begin, name in [(b"PAR1\x15\x04", "Parquet"), (b"LASF\0\0", "LAS"), (b"CDF\x01\0", "NetCDF"), (b"\x89HDF\r\n\x1a\n", "HDF5"), (b"ARROW1\0\0", "Arrow"),
                            (b"\xD0\xCF\x11\xE0\xA1\xB1", "Office"), (b"BZh91AY", "bzip2")]:
            (self.folder / "in.csv").write_bytes(begin + bytes(64))
            self.refused(wrong, "grid", "in.csv", "no.npy", "--value", "v", *grid, says=["in.csv: is", name])
            if name in ("NetCDF", "HDF5"):  # files of arrays, where this build has them: this one is torn
                self.assertNotEqual(self.run_crinkle("move", "... -> ...", "in.csv", "no.npy").returncode, done)
            else:
                self.refused(wrong, "move", "... -> ...", "in.csv", "no.npy", says=["in.csv: is", name])
        (self.folder / "in.tif").write_bytes(b"II*\0" + bytes(64))
        self.refused(failed, "move", "... -> ...", "in.tif", "no.npy", says="in.tif")
        (self.folder / "in.zip").write_bytes(b"PK\x03\x04" + bytes(64))
        self.refused(wrong, "move", "... -> ...", "in.zip", "no.npy", says=["a zip file", "unzip in.zip"])
        self.refused(wrong, "grid", "in.zip", "no.npy", "--value", "v", *grid, says="a zip file")

    def test_neighbours_are_those_that_count(self):
        rows = "".join(f"{k % 4},{k // 4},{k * k % 7},{1 if k < 3 else 0}\n" for k in range(12))
        self.write("x,y,v,w\n" + rows)
        options = ["interpolate", "in.csv", "--value", "v", "--cell", 1, "--weight", "w", "--dtype", "float64", "--force"]
        self.crinkle(*options[:2], "all.npy", *options[2:])
        result = self.run_crinkle(*options[:2], "auto.npy", *options[2:], "--neighbours", "auto")
        self.assertEqual(result.returncode, done, result.stderr.decode())
        self.assertIn("all samples predict 3 of", result.stderr.decode())
        result = self.run_crinkle(*options[:2], "many.npy", *options[2:], "--neighbours", 500)
        self.assertIn("--neighbours 500: there are 3 samples with v and a weight above 0", result.stderr.decode())
        np.testing.assert_allclose(self.load("many.npy"), self.load("all.npy"), rtol=1e-12)


if __name__ == "__main__":
    harness.main()
