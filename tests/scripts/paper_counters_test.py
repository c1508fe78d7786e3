#!/usr/bin/env python3
"""scripts/join_paper_counters.py: variants' kernels are told apart, their counts stand beside those walked, in a document, too, and what does not fit
is refused.

SPDX-License-Identifier: BSD-3-Clause
"""
import contextlib
import io
import json
import unittest
from unittest import mock

from figures import InAFolder  # which makes the scripts importable

import join_counters
import join_paper_counters
from reporting import committed, documents_fft_paper

KNOWN = ["l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", "smsp__sass_inst_executed_op_shared_{}.sum",
         "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"]
STAGE, BLOCKS = "unnamed>::stage_kernel(const Sample *, Sample *, int, Roots)", "void unnamed>::blocks_kernel<(Variant){}>(const Sample *, Sample *, Launch, Roots)"
KERNELS = [("unnamed>::reversal_kernel(const Sample *, Sample *, Reversal)", ["4", "4", "32", "32", "4", "4", "8", "1,024"]), (STAGE, ["6", "4", "40", "32", "0", "0", "0", "0"]),
           (BLOCKS.format(0), ["5", "4", "40", "32", "20", "20", "40", "56"]), (BLOCKS.format(4), ["5", "4", "40", "32", "20", "19", "40", "54"])]


def asked(requests, taken, what):
    return {"requests": requests, what: taken, "least": 1}


def row(name, launches, roots, *shared):
    loads = asked(4 * launches, 32 * launches, "sectors")
    return {"name": f"table1_{name}", "element_bytes": 8, "bytes": 64, "seconds": 1, "launches": launches, "loads": loads, "stores": loads, "root_loads": asked(*roots, "sectors"),
            "shared_loads": asked(*shared[:2], "wavefronts"), "shared_stores": asked(*shared[2:], "wavefronts"), "log_signals": 2}


WALKED = {"schema": 1, "suite": "fft_paper", "device": "a device", "driver": "a driver", "compiler": "a compiler", "commit": "c", "date": "2026-12-01",
          "rows": [row("global", 2, (2, 8), 4, 8, 4, 1024), row("radix_2", 1, (1, 8), 20, 40, 20, 56), row("unrolled", 1, (1, 8), 20, 40, 20, 56),
                   {"name": "table1_crinkle", "seconds": 1}]}


def counted(kernels, known=KNOWN):
    """As ncu --csv --page raw has it: metrics in columns, their units in the row below."""
    head = ["ID", "Kernel Name", "launch__grid_size", *(metric.format(op) for metric in known for op in ("ld", "st"))]
    lines = [head, [""] * len(head), *([str(i), name, "8", *values[:len(head) - 3]] for i, (name, values) in enumerate(kernels))]
    return "==PROF== Connected to process 7\n" + "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines) + "\n==PROF== Disconnected\n"


class Joined(InAFolder):
    def test_counts_stand_beside_those_of_the_walk(self):
        walked, table = self.written(WALKED, "walked.json"), self.written(counted(KERNELS), "counted.csv")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            join_counters.join_files([str(walked), str(table), str(self.folder / "joined.json")], "", join_paper_counters.join, join_paper_counters.print_table)
        joined = json.loads((self.folder / "joined.json").read_text())
        self.assertEqual({key: joined[key] for key in join_counters.HEAD}, {key: WALKED[key] for key in join_counters.HEAD})
        self.assertEqual((joined["suite"], [(one["name"], one["launches"], one["signals"]) for one in joined["rows"]]),
                         ("fft_paper_counters", [("table1_global", 2, 4), ("table1_radix_2", 1, 4), ("table1_unrolled", 1, 4)]))
        by_launch, _, unrolled = joined["rows"]
        self.assertEqual(by_launch["read"]["sectors"], {"predicted": 72, "measured": 72, "ratio": 1, "per_signal": 18})  # of both launches, roots as well
        self.assertEqual(by_launch["write"]["wavefronts"]["measured"], 1024)
        self.assertEqual(unrolled["read"]["shared_requests"], {"predicted": 20, "measured": 20, "ratio": 1, "per_signal": 5})
        self.assertEqual(unrolled["write"]["shared_requests"], {"predicted": 20, "measured": 19, "ratio": 0.95, "per_signal": 4.75})
        self.assertIn("write wavefronts: equal in 2 of 3 variants\n", said.getvalue())
        self.assertEqual(self.report("--markdown", "joined.json").returncode, 0)  # results like all others

    def test_a_table_of_a_document_has_both_where_they_differ(self):
        (self.folder / "h200").mkdir()

        def written(known):
            self.written(join_paper_counters.join(WALKED, counted(KERNELS, known)), "h200/fft_paper_counters.json")
            committed._read.cache_clear()
            return documents_fft_paper.counters(committed.H200)

        self.addCleanup(committed._read.cache_clear)
        with mock.patch.object(committed, "RESULTS", self.folder):
            text = written(KNOWN)
            self.assertIn("\n| `global` | 2 | 2.5, 2 | 18, 16 | 1, 1 | 2, 256 |\n", text)
            self.assertIn("\n| `unrolled` | 1 | 1.25, 1 | 10, 8 | 5, 4.75 (5) | 10, 13.5 (14) |\n\nOn an NVIDIA H200 all counts of 2 of 3 variants are those of the walk "
                          "to the last one; not those of `unrolled`.\n", text)
            self.assertRegex(written(KNOWN[:2]), r"\| `unrolled` \| 1 \| 1.25, 1 \| 10, 8 \| – \| – \|\n\nOn .* 3 of 3 variants .* last one\.\n$")

    def test_what_the_profiler_does_not_know_is_left_out(self):
        joined = join_paper_counters.join(WALKED, counted(KERNELS, KNOWN[:2]))
        self.assertEqual({tuple(one[side]) for one in joined["rows"] for side in ("read", "write")}, {("requests", "sectors")})
        with contextlib.redirect_stdout(io.StringIO()) as said:
            join_paper_counters.print_table(joined)
        self.assertIn("read wavefronts: not counted\n", said.getvalue())

    def test_kernels_that_are_not_the_variants_are_refused(self):
        first, stage, radix_2, unrolled = KERNELS
        for kernels, expected in [([first, stage, radix_2], "unrolled has blocks_kernel, the profiler's next kernels are $"), ([*KERNELS, unrolled], "1 kernels more than"),
                                  ([stage, first, radix_2, unrolled], "global has reversal_kernel, stage_kernel, the"), ([first, stage, radix_2, radix_2], "unrolled has a kernel of its own"),
                                  ([first, stage, radix_2, (unrolled[0], ["5", "n/a", *unrolled[1][2:]])], "unrolled: a kernel without t_requests_pipe_lsu_mem_global_op_st")]:
            with self.subTest(expected), self.assertRaisesRegex(SystemExit, expected):
                join_paper_counters.join(WALKED, counted(kernels))
        with self.assertRaisesRegex(SystemExit, "has no table:\n==ERROR== ERR_NVGPUCTRPERM"):
            join_paper_counters.join(WALKED, "==ERROR== ERR_NVGPUCTRPERM\n")
        with self.assertRaisesRegex(SystemExit, "no rows table1_"):
            join_paper_counters.join(WALKED | {"rows": WALKED["rows"][3:]}, counted([]))
        with self.assertRaisesRegex(SystemExit, "nothing that is walked"):
            join_paper_counters.join(WALKED, counted(KERNELS, []))


if __name__ == "__main__":
    unittest.main()
