# Another program is told how far a move is, through the socket that CRINKLE_PROGRESS names, and ends it by closing the socket.
# SPDX-License-Identifier: BSD-3-Clause
import harness  # first: it looks for a Python that has NumPy

import os
import socket
import subprocess

import numpy as np

from harness import CommandTest


class Progress(CommandTest):
    def listen(self, output, most, command=("move", "y x -> x y")):
        """What is told until `most` answers are given, and the exit status."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            process = subprocess.Popen([harness.program, *command, "in.npy", output], cwd=self.folder, stderr=subprocess.PIPE,
                                       pass_fds=[theirs.fileno()], env={**os.environ, "CRINKLE_PROGRESS": str(theirs.fileno())})
            theirs.close()
            told = []
            with ours.makefile("r") as lines:
                for line in lines:
                    told.append(tuple(map(int, line.split())))
                    if len(told) > most:
                        break
                    ours.sendall(b".")
            ours.close()
            self.said = process.communicate()[1].decode()
        return told, process.returncode

    def test_it_is_told_from_nothing_to_all(self):
        x = self.random.integers(0, 2, (1500, 8000), np.uint8)
        self.save("in.npy", x)
        for output, n in [("out.npy", x.nbytes), ("out.png", 2 * x.nbytes), ("out.nii.gz", 2 * x.nbytes + 352)]:
            told, status = self.listen(output, 10**9)
            self.assertEqual((status, told[0], told[-1], self.said), (harness.done, (0, n), (n, n), ""))
            self.assertGreater(len(told), 8, output)
            self.assertTrue(all(a[0] <= b[0] and b[1] == n for a, b in zip(told, told[1:])), told)
        self.assert_same(self.load("out.npy"), x.T, "out.npy")

    def test_one_pass_of_a_stencil_tells_of_its_parts(self):
        x = self.random.random((3000, 2000), np.float32)
        self.save("in.npy", x)
        n = x.nbytes
        for words in "laplacian", "gaussian:3":
            told, status = self.listen(words[:5] + ".npy", 10**9, ("stencil", words))
            self.assertEqual((status, told[0], told[-1], self.said), (harness.done, (0, n), (n, n), ""))
            self.assertGreater(len(told), 8, words)
            self.assertTrue(all(a[0] <= b[0] and b[1] == n for a, b in zip(told, told[1:])), told)

    def test_it_ends_where_nobody_listens_any_more(self):
        self.save("in.npy", np.zeros((1500, 8000), np.uint8))
        before = self.listing()
        for output in "out.npy", "out.png":
            for most in 0, 1, 5:
                told, status = self.listen(output, most)
                self.assertEqual((len(told), status, self.listing()), (most + 1, harness.failed, before))
                self.assertIn("CRINKLE_PROGRESS", self.said)

    def test_an_empty_array_and_what_is_no_socket(self):
        self.save("in.npy", np.zeros((0, 5), np.uint8))
        self.assertEqual(self.listen("out.npy", 9), ([(0, 0)], harness.done))
        for number, status in [("x", harness.wrong), ("-1", harness.wrong), ("987", harness.failed)]:
            result = self.run_crinkle("move", "y x -> x y", "in.npy", "no.npy", env={**os.environ, "CRINKLE_PROGRESS": number})
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(b"CRINKLE_PROGRESS", result.stderr)


if __name__ == "__main__":
    harness.main()
