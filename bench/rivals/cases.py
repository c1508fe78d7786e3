"""What is moved: each case has arrays to read and to write, crinkle's move between them, and what the others do to the same end. What NumPy makes
of it in this machine's memory is the definition.

SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np

from crinkle_c import OMITTED


class Case:
    """runs: {label: function}; a function that returns something returns its result, the others write into `destinations`. wanted(): the results
    by NumPy. copied: the two arrays that hold all bytes of either side, between which plain copies take their turns."""

    def __init__(self, name, sources, destinations, crinkle, bytes_moved, runs, wanted, copied=None):
        self.name, self.sources, self.destinations = name, sources, destinations
        self.crinkle, self.bytes, self.runs, self.wanted = crinkle, bytes_moved, runs, wanted
        self.copied = copied or (sources[0], destinations[0])

    @property
    def copied_bytes(self):
        """Read and written by such a copy."""
        return 2 * min(array.nbytes for array in self.copied)


class Maker:
    """Cases whose arrays lie in `place` (host.py, card.py)."""

    def __init__(self, crinkle, others, place, n_bytes, is_compiled):
        self.crinkle, self.others, self.place, self.n_bytes, self.is_compiled = crinkle, others, place, n_bytes, is_compiled
        self.xp, self.random = place.xp, np.random.default_rng(7)

    def array(self, shape, dtype):
        """In this machine's memory."""
        a = np.empty(shape, dtype)
        if a.dtype.kind == "f":  # numbers, so that a library may not tidy up what is none
            a[...] = self.random.random(a.shape, np.float32)
        else:
            a.reshape(-1).view(np.uint8)[...] = np.frombuffer(self.random.bytes(a.nbytes), np.uint8)
        return a

    def one(self, name, shape, dtype, spec, verbs, view, torch_op=None, jax_op=None, more=None, axes=None):
        """An array to one other: `view` is what NumPy and CuPy copy from, of (library, array); torch_op gives a view, too, or the result, jax_op the
        result; `axes` are (shape, order, which are reversed) where that is all, for Eigen, oneDNN and cuTENSOR."""
        host, xp = self.array(shape, dtype), self.xp
        source, seen = self.place.placed(host), view(np, host)
        destination = xp.empty(seen.shape, seen.dtype)
        run, moved = self.crinkle.move(self.crinkle.map(spec, shape, source.itemsize, verbs), [source], [destination], self.place)
        runs = {self.place.name: lambda: xp.copyto(destination, view(xp, source))}
        runs.update(more(source, destination) if more else {})
        for library in ["Eigen", "oneDNN", "cuTENSOR"] if axes else []:
            by_axes = self.others.here[library].move(source, destination, *axes, self.place.threads) if library in self.others.here else None
            if by_axes:
                runs[library] = by_axes
        if "crinkle in Python" in self.others.here and all(verb[0] in ("flip", "roll") for verb in verbs):
            ck, flips = self.others.here["crinkle in Python"], [axis for verb, axis, *_ in verbs if verb == "flip"]
            rolls = {axis: by[0] for verb, axis, *by in verbs if verb == "roll"}
            runs["crinkle in Python"] = lambda: ck.move(source, spec, out=destination, flip=flips, roll=rolls)
        self.add_array_libraries(runs, [source], torch_op, jax_op, destination)
        return Case(name, [source], [destination], run, moved, self.known(runs), lambda: [view(np, host)])

    def add_array_libraries(self, runs, sources, torch_op, jax_op, destination=None):
        """Views of PyTorch are copied into the destination; all else is made anew, as these libraries do."""
        here, place = self.others.here, self.place
        if torch_op and "PyTorch" in here:
            torch = here["PyTorch"]
            tensors = [place.to_torch(torch, s) for s in sources]
            first = torch_op(torch, *tensors)
            is_view = destination is not None and first.data_ptr() == tensors[0].data_ptr()
            if is_view:
                to = place.to_torch(torch, destination)

                def copied():
                    to.copy_(torch_op(torch, *tensors))

                runs["PyTorch"] = copied
            else:
                runs["PyTorch"] = lambda: torch_op(torch, *tensors)
            if self.is_compiled:
                torch.compiler.reset()
                compiled = torch.compile((lambda *a: torch_op(torch, *a).contiguous()) if is_view else (lambda *a: torch_op(torch, *a)))
                runs["PyTorch compiled"] = lambda: compiled(*tensors)
        if jax_op and "JAX" in here:
            jax = here["JAX"]
            placed = [place.to_jax(jax, s) for s in sources]
            jitted = jax.jit(lambda *a: jax_op(jax.numpy, *a))
            runs["JAX"] = lambda: jitted(*placed)

    def known(self, runs):
        return {self.others.labels[name]: run for name, run in runs.items() if name in self.others.labels}

    def orders(self):
        scale = max(1, round((self.n_bytes / (64 << 20)) ** 0.5 * 16))  # of 16: 128 × 256 × 512 at 64 MiB
        shape, names = (8 * scale, 16 * scale, 512), "zyx"
        for order in [(0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
            spec = "z y x -> " + " ".join(names[a] for a in order)
            yield self.one("order_" + "".join(map(str, order)), shape, np.float32, spec, (), lambda xp, a, order=order: a.transpose(order),
                           lambda torch, a, order=order: a.permute(order), lambda jnp, a, order=order: jnp.transpose(a, order),
                           axes=(shape, order, (0, 0, 0)))

    def permutations(self, path):
        """Those of a case file of crinkle bench, of real numbers of 4 and 8 bytes: NAME ELEMENT_BYTES RANK ORDER… EXTENTS…, fastest axis first."""
        for line in path.read_text().splitlines():
            words = line.partition("#")[0].split()
            if len(words) < 3 or words[1] not in ("4", "8") or not words[2].isdecimal():  # no case, other elements, a specification
                continue
            rank = int(words[2])
            numbers = [int(word) for word in words[3:]]
            order, shape = tuple(rank - 1 - a for a in reversed(numbers[:rank])), tuple(reversed(numbers[rank:]))
            names = [f"a{k}" for k in range(rank)]
            yield self.one(words[0], shape, np.float32 if words[1] == "4" else np.float64,
                           " ".join(names) + " -> " + " ".join(names[a] for a in order), (), lambda xp, a, order=order: a.transpose(order),
                           lambda torch, a, order=order: a.permute(order), lambda jnp, a, order=order: jnp.transpose(a, order),
                           axes=(shape, order, (0,) * rank))

    def images(self):
        side = int((self.n_bytes / 4) ** 0.5) // 64 * 64
        shape, cv2 = (side, side), self.others.here.get("OpenCV")

        def by_cv2(call):
            return lambda source, destination: {"OpenCV": lambda: call(source, destination)} if cv2 else {}

        yield self.one("transpose", shape, np.float32, "y x -> x y", (), lambda xp, a: a.T, lambda torch, a: a.t(), lambda jnp, a: a.T,
                       by_cv2(lambda s, d: cv2.transpose(s, d)), (shape, (1, 0), (0, 0)))
        yield self.one("flip_fast", shape, np.float32, "y x -> y x", [("flip", "x")], lambda xp, a: a[:, ::-1], lambda torch, a: torch.flip(a, (1,)),
                       lambda jnp, a: a[:, ::-1], by_cv2(lambda s, d: cv2.flip(s, 1, d)), (shape, (0, 1), (0, 1)))
        yield self.one("flip_slow", shape, np.float32, "y x -> y x", [("flip", "y")], lambda xp, a: a[::-1], lambda torch, a: torch.flip(a, (0,)),
                       lambda jnp, a: a[::-1], by_cv2(lambda s, d: cv2.flip(s, 0, d)), (shape, (0, 1), (1, 0)))
        yield self.one("roll", shape, np.float32, "y x -> y x", [("roll", "y", 301), ("roll", "x", 123)], lambda xp, a: xp.roll(a, (301, 123), (0, 1)),
                       lambda torch, a: torch.roll(a, (301, 123), (0, 1)), lambda jnp, a: jnp.roll(a, (301, 123), (0, 1)))
        yield self.one("crinkle_fast_2", shape, np.float32, "y (x 2) -> 2 y x", (), lambda xp, a: a.reshape(side, side // 2, 2).transpose(2, 0, 1),
                       lambda torch, a: a.view(side, side // 2, 2).permute(2, 0, 1),
                       lambda jnp, a: jnp.transpose(a.reshape(side, side // 2, 2), (2, 0, 1)),
                       axes=((side, side // 2, 2), (2, 0, 1), (0, 0, 0)))
        yield self.one("roll_flip_transpose", shape, np.float32, "y x -> x y", [("roll", "y", 301), ("flip", "x")],
                       lambda xp, a: xp.roll(a, 301, 0)[:, ::-1].T, lambda torch, a: torch.flip(torch.roll(a, 301, 0), (1,)).t().contiguous(),
                       lambda jnp, a: jnp.roll(a, 301, 0)[:, ::-1].T)
        def by_cupy(source, destination):  # it has no byteswap: the bytes of every number backwards
            def bytes_of(a):
                return a.view(np.uint8).reshape(*a.shape, 4)

            return {"CuPy": lambda: self.xp.copyto(bytes_of(destination), bytes_of(source)[..., ::-1])}

        yield self.one("byte_swap", shape, np.uint32, "y x -> y x", [("byte_swap",)], lambda xp, a: a.byteswap(), more=by_cupy)
        yield self.one("channels_first", (side // 4 * 4, side, 3), np.uint8, "y x c -> c y x", (), lambda xp, a: a.transpose(2, 0, 1),
                       lambda torch, a: a.permute(2, 0, 1), lambda jnp, a: jnp.transpose(a, (2, 0, 1)),
                       axes=((side // 4 * 4, side, 3), (2, 0, 1), (0, 0, 0)))

    def interlaced(self):
        cv2, xp = self.others.here.get("OpenCV"), self.xp
        for n in [2, 3, 4, 9]:
            rows, columns = max(1, self.n_bytes // 4 // n // 1024), 1024
            on_host = self.array((n, rows, columns), np.float32)
            block, records = self.place.placed(on_host), xp.empty((rows, columns, n), np.float32)
            planes = [block[k] for k in range(n)]  # views: one behind the other
            run, moved = self.crinkle.move(self.crinkle.interlace(n, (rows, columns), 4), planes, [records], self.place)
            runs = {self.place.name: lambda planes=planes, records=records: xp.stack(planes, -1, out=records)}
            if cv2:
                runs["OpenCV"] = lambda planes=planes, records=records: cv2.merge(planes, records)
            self.add_array_libraries(runs, planes, lambda torch, *a: torch.stack(a, -1), lambda jnp, *a: jnp.stack(a, -1))
            yield Case(f"interlace_{n}", planes, [records], run, moved, self.known(runs), lambda on_host=on_host: [np.stack(on_host, -1)],
                       (block, records))

            on_host = self.array((rows, columns, n), np.float32)
            pixels, block = self.place.placed(on_host), xp.empty((n, rows, columns), np.float32)
            apart = [block[k] for k in range(n)]
            run, moved = self.crinkle.move(self.crinkle.deinterlace((rows, columns, n), 4), [pixels], apart, self.place)

            def by_slices(pixels=pixels, apart=apart):
                for k, to in enumerate(apart):
                    to[...] = pixels[..., k]

            runs = {self.place.name: by_slices}
            if cv2:
                runs["OpenCV"] = lambda pixels=pixels, apart=apart: cv2.split(pixels, apart)
            self.add_array_libraries(runs, [pixels], lambda torch, a: [p.contiguous() for p in a.unbind(-1)],
                                     lambda jnp, a, n=n: [a[..., k] for k in range(n)])
            yield Case(f"deinterlace_{n}", [pixels], apart, run, moved, self.known(runs),
                       lambda on_host=on_host, n=n: [on_host[..., k] for k in range(n)], (pixels, block))

    def planes(self):
        """Bit planes; bitshuffle's are those of one block. NumPy's way is the definition, and is not timed."""
        for dtype in [np.uint16, np.uint32, np.float64]:
            elements = self.array(self.n_bytes // np.dtype(dtype).itemsize // 8 * 8, dtype)
            planes = np.empty(elements.nbytes, np.uint8)
            run = self.crinkle.bit_planes(elements, planes, False, self.place.threads)
            runs = {}
            if "bitshuffle" in self.others.here:
                shuffle = self.others.here["bitshuffle"]
                runs["bitshuffle"] = lambda elements=elements: shuffle.bitshuffle(elements, elements.size)
            yield Case(f"bit_planes_{elements.itemsize}", [elements], [planes], run, 2 * elements.nbytes, self.known(runs), lambda elements=elements: [np.packbits(
                np.unpackbits(elements.view(np.uint8).reshape(-1, elements.itemsize), axis=1, bitorder="little").T, axis=1, bitorder="little").reshape(-1)])

    def shuffles(self):
        """Bytes of elements put together by their places, in blocks of 256 KiB, as Blosc does before it compresses."""
        for element_bytes in [2, 4, 8, 16]:
            shape = (max(1, self.n_bytes >> 18), (1 << 18) // element_bytes, element_bytes)

            def by_blosc(source, destination):
                blosc = self.others.here.get("Blosc")
                return {"Blosc": blosc.byte_shuffle(source, destination, self.place.threads)} if blosc else {}

            yield self.one(f"byte_shuffle_{element_bytes}", shape, np.uint8, "n e b -> n b e", (), lambda xp, a: a.transpose(0, 2, 1),
                           lambda torch, a: a.permute(0, 2, 1), lambda jnp, a: jnp.transpose(a, (0, 2, 1)), by_blosc, (shape, (0, 2, 1), (0, 0, 0)))

    def views(self):
        """What NumPy's copyto takes of arrays from 1 KiB on, where the call itself counts; all extents powers of two."""
        def by_two_copies(source, destination):
            def rolled():
                self.xp.copyto(destination[:, :3], source[:, -3:])
                self.xp.copyto(destination[:, 3:], source[:, :-3])

            return {self.place.name: rolled}

        n_bytes = 1 << 10
        while n_bytes <= self.n_bytes:
            bits = (n_bytes // 4).bit_length() - 1
            grid = (1 << bits // 2, 1 << (bits - bits // 2))
            volume = (1 << bits // 3, 1 << (bits + 1) // 3, 1 << (bits + 2) // 3)
            for name, shape, spec, verbs, view in [
                    ("transpose", grid, "y x -> x y", (), lambda xp, a: a.T), ("flip_fast", grid, "y x -> y x", [("flip", "x")], lambda xp, a: a[:, ::-1]),
                    ("flip_slow", grid, "y x -> y x", [("flip", "y")], lambda xp, a: a[::-1]),
                    ("zyx_to_xzy", volume, "z y x -> x z y", (), lambda xp, a: a.transpose(2, 0, 1)),
                    ("step_2", grid, "y x -> y x", [("slice", "x", OMITTED, OMITTED, 2)], lambda xp, a: a[:, ::2]),
                    ("roll", grid, "y x -> y x", [("roll", "x", 3)], lambda xp, a: xp.roll(a, 3, 1)), ("copy", grid, "y x -> y x", (), lambda xp, a: a)]:
                yield self.one(f"{name}_{n_bytes}", shape, np.uint32, spec, verbs, view, more=by_two_copies if name == "roll" else None)
            n_bytes *= 4

    def records(self):
        """Records of fields of one size, and of several, taken apart into arrays and put together again."""
        kinds = {1: "u1", 2: "u2", 4: "f4", 8: "f8"}
        fields_of = {f"n{n}_e{e}": [kinds[e]] * n for e in (4, 1, 2, 8) for n in (range(2, 10) if e == 4 else [2, 3, 4, 6, 8, 9])}
        fields_of |= {mix: mix.split("+") for mix in ["u1+u1+u2+f4+f8", "u4+f4+f8", "u1+f4+f8"]}
        for name, fields in fields_of.items():
            for takes_apart in [True, False]:
                yield self.of_records(f"{'apart' if takes_apart else 'together'}_{name}", fields, takes_apart)

    def of_records(self, name, fields, takes_apart):
        columns = 4096  # of OpenCV's images; records are as many as fill whole rows
        dtype = np.dtype([(f"f{k}", kind) for k, kind in enumerate(fields)])
        n = max(1, self.n_bytes // dtype.itemsize // columns) * columns
        records, block = (self.array(n * dtype.itemsize, np.uint8) for _ in range(2))
        arrays = [a.view(kind) for a, kind in zip(np.split(block, np.cumsum([n * np.dtype(kind).itemsize for kind in fields])[:-1]), fields)]
        rows = records.view(dtype)
        sides = [rows[f"f{k}"] for k in range(len(fields))]
        pairs = list(zip(arrays, sides)) if takes_apart else list(zip(sides, arrays))

        def by_numpy():
            for to, of in pairs:
                to[...] = of

        names = [f"f{k}" for k in range(len(fields))]
        layouts = f"({' '.join(names)})", "|".join(names)
        made = self.crinkle.records(" ".join(f"{a}:{kind}" for a, kind in zip(names, fields)), *(layouts if takes_apart else reversed(layouts)), n)
        sources, destinations = ([records], arrays) if takes_apart else (arrays, [records])
        run, moved = self.crinkle.move(made, sources, destinations, self.place)
        runs, here = {"NumPy": by_numpy}, self.others.here
        if "OpenCV" in here and len(set(fields)) == 1:
            image, planes = records.view(fields[0]).reshape(-1, columns, len(fields)), [a.reshape(-1, columns) for a in arrays]
            runs["OpenCV"] = (lambda: here["OpenCV"].split(image, planes) and None) if takes_apart else (lambda: here["OpenCV"].merge(planes, image) is None or None)
        loop = here["a plain loop"].move(rows, arrays, takes_apart, self.place.threads) if "a plain loop" in here else None
        if loop:
            runs["a plain loop"] = loop

        def wanted():
            by_numpy()
            return [d.copy() for d in destinations]

        pair = (records, block) if takes_apart else (block, records)
        return Case(name, sources, destinations, run, moved, self.known(runs), wanted, pair)

    def all(self):
        yield from self.images()
        yield from self.orders()
        yield from self.interlaced()
        yield from self.shuffles()
        if self.place.device < 0:  # crinkle has no bit planes on a GPU yet
            yield from self.planes()
