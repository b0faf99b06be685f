"""The mean of two networks that went on from the same start: it reads lives that neither was trained on as well as the better of the two, and varies less.

    python mean_weights.py ONE/weights.bin OTHER/weights.bin MEAN/weights.bin

A piece that has a row of its own in one of them alone counts as nothing in the other.
"""

import os
import struct
import sys

import numpy as np

OWN = 32


def read(path):
    """The pieces, their rows, and the other tensors in one piece."""
    data = open(path, "rb").read()
    assert data[:8] == b"RCLJUDG3", f"{path} holds no weights of the judges"
    count = struct.unpack("<I", data[8:12])[0]
    pieces = np.frombuffer(data, "<u4", count, 12)
    scale = np.frombuffer(data, "<f4", count, 12 + 4 * count)
    rows = np.frombuffer(data, "i1", count * OWN, 12 + 8 * count).reshape(count, OWN) * scale[:, None]
    return pieces, rows, np.frombuffer(data, "<f4", -1, 12 + 8 * count + count * OWN)


def main():
    one, other, out = sys.argv[1:4]
    (pieces, rows, tensors), (more, others, others_tensors) = read(one), read(other)
    assert len(tensors) == len(others_tensors), "the two are of different sizes"
    all_pieces = np.union1d(pieces, more)
    own = np.zeros((len(all_pieces), OWN))
    own[np.searchsorted(all_pieces, pieces)] += rows / 2
    own[np.searchsorted(all_pieces, more)] += others / 2
    scale = np.abs(own).max(-1).clip(1e-9) / 127
    os.makedirs(os.path.dirname(os.path.abspath(out)), exist_ok=True)
    with open(out, "wb") as f:
        f.write(b"RCLJUDG3" + struct.pack("<I", len(all_pieces)))
        f.write(all_pieces.astype("<u4").tobytes())
        f.write(scale.astype("<f4").tobytes())
        f.write(np.round(own / scale[:, None]).astype("i1").tobytes())
        f.write(((tensors + others_tensors) / 2).astype("<f4").tobytes())


if __name__ == "__main__":
    main()
