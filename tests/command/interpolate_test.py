# crinkle interpolate and crinkle grid: against plain NumPy, SciPy's cKDTree, and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import json
import unittest

import numpy as np

from harness import CommandTest, done, failed, wrong

try:
    from scipy.spatial import cKDTree
    from scipy.stats import binned_statistic_2d
except ImportError:
    cKDTree = None


def weighted(places, values, targets, power=2.0, smoothing=0.0):
    """Sums over all samples, [targets]."""
    squares = ((targets[:, None, :] - places[None, :, :]) ** 2).sum(2) + smoothing**2
    nearest = squares.min(1, keepdims=True)
    hit = nearest == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        w = np.where(hit, squares == 0, (nearest / squares) ** (power / 2))
    return (w * values).sum(1) / w.sum(1)


def nodes(x0, y0, x1, y1, cell):
    """The centres of a map's cells, the northern row first."""
    x = np.arange(int(np.ceil((x1 - x0) / cell))) * cell + x0 + cell / 2
    y = y1 - cell / 2 - np.arange(int(np.ceil((y1 - y0) / cell))) * cell
    return np.stack(np.meshgrid(x, y), -1).reshape(-1, 2), (len(y), len(x))


class Interpolate(CommandTest):
    def samples(self, n=200):
        places = self.random.random((n, 2)) * [1000, 500]
        return places, np.sin(places[:, 0] / 100) + places[:, 1] / 300

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def write_csv(self, name, places, values, header="x,y,height", delimiter=","):
        rows = [header] + [delimiter.join(repr(float(number)) for number in (*place, value)) for place, value in zip(places, values)]
        self.write(name, "\n".join(rows) + "\n")

    def test_a_map_is_the_sum_over_all_samples(self):
        places, values = self.samples()
        self.write_csv("in.csv", places, values)
        targets, shape = nodes(0, 0, 1000, 500, 20)
        for power in [1, 2, 2.5, 4]:
            for dtype, rtol in [("float32", 1e-6), ("float64", 1e-11)]:
                self.crinkle("interpolate", "in.csv", "map.npy", "--value", "height", "--cell", 20, "--extent", "0,0,1000,500", "--power", power,
                             "--dtype", dtype, "--force")
                got = self.load("map.npy")
                self.assertEqual((got.shape, got.dtype), (shape, np.dtype(dtype)))
                np.testing.assert_allclose(got.ravel(), weighted(places, values, targets, power), atol=rtol * np.ptp(values), rtol=0)

    @unittest.skipIf(cKDTree is None, "SciPy is not installed")
    def test_neighbours_are_those_of_scipy(self):
        places, values = self.samples(500)
        self.save("in.npy", np.column_stack([places, values]))
        targets = self.random.random((300, 2)) * [1200, 700] - 100
        self.save("targets.npy", targets)
        distances, found = cKDTree(places).query(targets, 12)
        w = distances**-3.0
        self.crinkle("interpolate", "in.npy", "out.npy", "--targets", "targets.npy", "--power", 3, "--neighbours", 12, "--dtype", "float64")
        np.testing.assert_allclose(self.load("out.npy"), (w * values[found]).sum(1) / w.sum(1), rtol=1e-10)
        self.crinkle("interpolate", "in.npy", "out.npy", "--targets", "targets.npy", "--radius", 60, "--nodata", -9999, "--least", 3, "--force", "--dtype", "float64")
        for got, target in zip(self.load("out.npy"), targets):
            near = cKDTree(places).query_ball_point(target, 60)
            want = -9999 if len(near) < 3 else weighted(places[near], values[near], target[None])[0]
            self.assertAlmostEqual(got, want, 9)

    def test_values_at_targets_as_a_table(self):
        places, values = self.samples(30)
        self.write_csv("in.csv", places, values)
        targets = np.vstack([places[:5], [[5000, 5000.125]]])  # hits, and a place that nothing is near
        self.save("targets.npy", targets)
        self.crinkle("interpolate", "in.csv", "out.csv", "--value", "height", "--targets", "targets.npy", "--radius", 1, "--dtype", "float64")
        lines = (self.folder / "out.csv").read_text().splitlines()
        self.assertEqual([lines[0], lines[6], len(lines)], ["x,y,height", "5000,5000.125,", 7])
        np.testing.assert_array_equal(np.loadtxt(lines[1:6], delimiter=","), np.column_stack([places, values])[:5])
        self.save("away.npy", targets[5:])
        told = self.run_crinkle("interpolate", "in.csv", "away.npy.npy", "--value", "height", "--targets", "away.npy", "--radius", 1)
        self.assertIn("there is no data at any of the places", told.stderr.decode())
        self.refused(wrong, "interpolate", "in.csv", "map.csv", "--value", "height", "--cell", 10, says=["map.csv"])

    def test_tables_in_several_hands(self):
        places, values = self.samples(20)
        self.write_csv("in.csv", places, values)
        arguments = ["--cell", "50", "--extent", "0,0,1000,500", "--force"]
        self.crinkle("interpolate", "in.csv", "want.npy", "--value", "height", *arguments)
        want = self.load("want.npy")
        rows = (self.folder / "in.csv").read_text()
        in_quotes = "\n".join(",".join(f'"{field}"' for field in row.split(",")) for row in rows.split())
        for name, text in [("windows", rows.replace("\n", "\r\n")), ("no_end", rows.rstrip("\n")), ("tabs", rows.replace(",", "\t")),
                           ("semicolons", rows.replace(",", ";")), ("blanks", rows.replace(",", " , ")), ("bom", "\ufeff" + rows),
                           ("quotes", in_quotes)]:
            self.write(name + ".csv", text)
            self.crinkle("interpolate", name + ".csv", "out.npy", "--value", "height", *arguments)
            self.assert_same(self.load("out.npy"), want, name)
        # Other columns, in another order, with delimiters, quotes and line ends in them.
        others = [f'"a, ""{i}""\n",{y!r},{value!r},{x!r}' for i, ((x, y), value) in enumerate(zip(places.tolist(), values.tolist()))]
        self.write("named.csv", "\n".join(['id,north,"height (""m"")",east', *others]))
        self.crinkle("interpolate", "named.csv", "out.npy", "--x", "east", "--y", "north", "--value", 'height ("m")', *arguments)
        self.assert_same(self.load("out.npy"), want, "named")
        self.save("in.npy", np.column_stack([places, values]))
        self.crinkle("interpolate", "in.npy", "out.npy", *arguments)
        self.assert_same(self.load("out.npy"), want, "npy")

    def test_missing_values_are_skipped_and_counted(self):
        self.write("in.csv", "x,y,v,note\n0,0,1,a\n1,0,NA,b\n0,1,,c\n1,1,2,\n")
        result = self.run_crinkle("interpolate", "in.csv", "out.npy", "--value", "v", "--cell", 1, "--extent", "-0.5,-0.5,1.5,1.5")
        self.assertEqual(result.returncode, done)
        self.assertIn("2 of 4 records have missing values", result.stderr.decode())
        self.assertEqual(self.load("out.npy").tolist(), [[1.5, 2], [1, 1.5]])
        self.refused(failed, "interpolate", "in.csv", "no.npy", "--value", "v", "--cell", 1, "--strict", says=["line 3, column 3 (v)", "'NA'"])

    def test_empty_lines_are_skipped_and_targets_without_a_place_refused(self):
        self.write("gaps.csv", "x,y,h\n0,0,1\n\n2,0,3\n\n")
        self.write("at.csv", "x,y\n0,0\n,\n2,0\n")
        self.refused(failed, "interpolate", "gaps.csv", "no.npy", "--value", "h", "--targets", "at.csv", says=["at.csv", "3"])
        self.write("at.csv", "x,y\n0,0\n2,0\n")
        self.crinkle("interpolate", "gaps.csv", "values.npy", "--value", "h", "--targets", "at.csv")
        self.assertEqual(self.load("values.npy").tolist(), [1, 3])

    def test_several_columns_weights_and_three_dimensions(self):
        self.write("in.csv", "x,y,z,a,b,m\n0,0,0,1,10,1\n1,0,0,3,30,3\n0,0,0,2,20,1\n")
        self.write("at.csv", "x,y,z\n0.5,0,0\n0,0,0\n")
        self.crinkle("interpolate", "in.csv", "out.npy", "--value", "a,b", "--z", "z", "--targets", "at.csv", "--weight", "m", "--dtype", "float64")
        np.testing.assert_allclose(self.load("out.npy"), [[2.4, 1.5], [24, 15]], rtol=1e-14)
        self.crinkle("interpolate", "in.csv", "out.npy", "--value", "a,b", "--z", "z", "--cell", 1, "--extent", "0,0,0,2,1,3", "--force")
        self.assertEqual(self.load("out.npy").shape, (2, 3, 1, 2))

    def test_a_tolerance_is_kept(self):
        places, values = self.samples(20000)
        self.save("in.npy", np.column_stack([places, values]))
        arguments = ["--cell", 5, "--extent", "300,200,700,400", "--dtype", "float64"]
        self.crinkle("interpolate", "in.npy", "exact.npy", *arguments)
        self.crinkle("interpolate", "in.npy", "near.npy", *arguments, "--tolerance", "1e-3")
        error = np.abs(self.load("near.npy") - self.load("exact.npy")).max()
        self.assertGreater(error, 0)
        self.assertLessEqual(error, 1e-3 * np.ptp(values))
        self.refused(wrong, "interpolate", "in.npy", "no.npy", *arguments, "--tolerance", "-1", says=["tolerance -1"])

    def test_auto_takes_the_best_by_cross_validation(self):
        places, values = self.samples(300)
        self.write_csv("in.csv", places, values)
        result = self.run_crinkle("interpolate", "in.csv", "out.npy", "--value", "height", "--cell", 100, "--power", "auto", "--neighbours", "auto", "--json")
        self.assertEqual(result.returncode, done, result.stderr.decode())
        facts = json.loads(result.stdout)
        self.assertEqual(len(facts["scores"]), 8 * 6)
        best = min(facts["scores"], key=lambda score: score["rmse"])
        self.assertEqual((facts["power"], facts["neighbours"]), (best["power"], best["neighbours"]))
        self.assertIn("RMSE", result.stderr.decode())
        errors = [weighted(np.delete(places, i, 0)[near], np.delete(values, i)[near], places[i][None], best["power"])[0] - values[i]
                  for i in range(300) for near in [np.argsort(((np.delete(places, i, 0) - places[i])**2).sum(1))[:best["neighbours"]]]]
        self.assertAlmostEqual(best["rmse"], np.sqrt(np.mean(np.square(errors))), 9)

    def test_a_preview_has_the_shape_of_the_map(self):
        places, values = self.samples()
        self.write_csv("in.csv", places, values)
        self.crinkle("interpolate", "in.csv", "map.npy", "--value", "height", "--cell", 25, "--radius", 40, "--preview", "map.png")
        info = self.crinkle("info", "map.png").decode()
        rows, columns = self.load("map.npy").shape
        self.assertIn(f"[{rows}][{columns}][4]", info)

    def test_threads_change_nothing(self):
        places, values = self.samples()
        self.write_csv("in.csv", places, values)
        for arguments in [[], ["--neighbours", "9"]]:
            for threads in [1, 3]:
                self.crinkle("interpolate", "in.csv", f"{threads}.npy", "--value", "height", "--cell", 7, "--threads", threads, "--force", *arguments)
            self.assert_same(self.load("1.npy"), self.load("3.npy"))

    @unittest.skipIf(cKDTree is None, "SciPy is not installed")
    def test_grid_is_binned_statistic(self):
        places, values = self.samples(2000)
        self.write_csv("in.csv", places, values)
        self.crinkle("grid", "in.csv", "out.npy", "--value", "height", "--cell", 25, "--extent", "0,0,1000,500", "--statistic", "count,mean,min,max,sum,deviation", "--nodata", "-1")
        got = self.load("out.npy")
        edges = [np.arange(0, 1001, 25), np.arange(0, 501, 25)]
        for plane, name in zip(got, ["count", "mean", "min", "max", "sum", "std"]):
            want = binned_statistic_2d(*places.T, values, name, edges).statistic.T[::-1]
            vacant = got[0] == 0
            np.testing.assert_allclose(plane[~vacant], want[~vacant], rtol=1e-12, atol=1e-12, err_msg=name)
            self.assertTrue((plane[vacant] == (0 if name == "count" else -1)).all())

    def test_what_is_refused(self):
        self.write("in.csv", "x,y,v\n0,0,1\n1,1,2\n0,1,3\n")
        self.write("text.csv", "x,y,v\n0,0,1\n1,12.5m,2\n")
        self.write("short.csv", "x,y,v\n0,0,1\n1,2\n")
        self.write("quote.csv", "x,y,v\n0,0,\"1\n")
        self.write("twice.csv", "x,y,x\n0,0,1\n")
        self.write("empty.csv", "")
        self.write("header.csv", "x,y,v\n")
        cell = ["--cell", "1"]
        for status, says, arguments in [
                (failed, ["line 3, column 2 (y)", "'12.5m'"], ["text.csv", "out.npy", "--value", "v", *cell]),
                (failed, ["line 3: 2 fields", "3"], ["short.csv", "out.npy", "--value", "v", *cell]),
                (failed, ["line 2", "quote"], ["quote.csv", "out.npy", "--value", "v", *cell]),
                (failed, ["'x' twice"], ["twice.csv", "out.npy", "--value", "y", *cell]),
                (failed, ["empty"], ["empty.csv", "out.npy", "--value", "v", *cell]),
                (failed, ["no samples"], ["header.csv", "out.npy", "--value", "v", *cell]),
                (failed, ["no column 'height'", "x, y, v"], ["in.csv", "out.npy", "--value", "height", *cell]),
                (wrong, ["--value"], ["in.csv", "out.npy", *cell]),
                (wrong, ["--cell"], ["in.csv", "out.npy", "--value", "v"]),
                (wrong, ["--cell"], ["in.csv", "out.npy", "--value", "v", "--cell", "-1"]),
                (wrong, ["power 0"], ["in.csv", "out.npy", "--value", "v", "--power", "0", *cell]),
                (wrong, ["--power", "'two'"], ["in.csv", "out.npy", "--value", "v", "--power", "two", *cell]),
                (wrong, ["needs 4"], ["in.csv", "out.npy", "--value", "v", "--extent", "0,0,1", *cell]),
                (wrong, ["from 1 to 0 along x"], ["in.csv", "out.npy", "--value", "v", "--extent", "1,0,0,1", *cell]),
                (wrong, ["fit"], ["in.csv", "out.npy", "--value", "v", "--extent", "0,0,1e11,1e11", *cell]),
                (wrong, ["--preview"], ["in.csv", "out.png", "--value", "v", *cell]),
                (wrong, ["--targets"], ["in.csv", "out.npy", "--value", "v", "--targets", "in.csv", *cell]),
                (wrong, ["float16"], ["in.csv", "out.npy", "--value", "v", "--dtype", "float16", *cell]),
                (failed, ["gone.csv"], ["gone.csv", "out.npy", "--value", "v", *cell])]:
            self.refused(status, "interpolate", *arguments, says=says)
        self.refused(wrong, "grid", "in.csv", "out.npy", "--value", "v", *cell, "--statistic", "median", says="'median'")
        self.crinkle("interpolate", "in.csv", "out.npy", "--value", "v", *cell)
        self.refused(wrong, "interpolate", "in.csv", "out.npy", "--value", "v", *cell, says="--force")


if __name__ == "__main__":
    harness.main()
