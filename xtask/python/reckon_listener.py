"""Reckons with NumPy what the listener hears in a message and says of two statements, from the committed weights: what `crates/models/src/judge/listener.rs` is held to."""

import math
import os
import struct

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
W, HEADS, UP, ROW, OWN, Z, POSITIONS, SIDE, WINDOW, BEFORE, COUNTED, MARKS = 384, 12, 1536, 256, 64, 256, 176, 48, 120, 24, 13, 20
CLS, SEP = 1, 2

erf = np.vectorize(math.erf)


def gelu(x):
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


class Listener:
    def __init__(self, path=os.path.join(ROOT, "assets/judges/listener.bin")):
        self.data = open(path, "rb").read()
        assert self.data[:8] == b"RCLLSTN1"
        count, pieces = struct.unpack("<II", self.data[8:16])
        self.at = 16
        rows = self.take("<u4", pieces)
        scale = self.take("<f4", pieces)
        own = self.take("i1", pieces * OWN).reshape(pieces, OWN) * scale[:, None]
        self.own = {int(row): own[i] for i, row in enumerate(rows)}
        self.enter = self.layer(W, ROW + OWN)
        self.special, self.positions, self.types = (self.take("<f4", n * W).reshape(n, W) for n in (3, POSITIONS, 2))
        self.norm = self.norm_of()
        self.blocks = []
        for _ in range(count):
            layers = [self.layer(*shape) for shape in [(W, W)] * 4 + [(UP, W), (W, UP)]]
            self.blocks.append((layers, self.norm_of(), self.norm_of()))
        self.hidden = self.layer(Z, 3 * W + MARKS)
        self.heads = [self.layer(many, Z) for many in (6, 14, 7)]
        self.span = self.layer(1, W)
        self.pair1, self.pair2 = self.layer(Z, 4 * W + COUNTED), self.layer(5, Z)
        assert self.at == len(self.data)

    def take(self, kind, count):
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found

    def layer(self, outputs, inputs):
        scale = self.take("<f4", outputs)
        weight = self.take("i1", outputs * inputs).reshape(outputs, inputs) * scale[:, None]
        return weight, self.take("<f4", outputs)

    def norm_of(self):
        return self.take("<f4", W), self.take("<f4", W)

    @staticmethod
    def apply(layer, x):
        return x @ layer[0].T + layer[1]

    @staticmethod
    def apply_to_bytes(layer, x):
        """The same, of what enters as signed bytes with a scale by row, as the program multiplies."""
        scale = np.abs(x).max(-1, keepdims=True) / 127
        return np.rint(x / scale) * scale @ layer[0].T + layer[1]

    @staticmethod
    def spread(norm, x):
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12) * norm[0] + norm[1]

    def side(self, encoded, many=SIDE):
        ids = encoded["ids"][:many]
        rows = (encoded["rows"] / encoded["lengths"][:, None])[:many]
        own = np.array([self.own.get(int(i), np.zeros(OWN)) for i in ids]).reshape(len(ids), OWN)
        return self.apply(self.enter, np.concatenate([rows, own], 1))

    def attend(self, x, second):
        """What the layers make of what entered; from `second` on it is the side that is heard."""
        types = (np.arange(len(x)) >= second).astype(int)
        x = self.spread(self.norm, x + self.positions[:len(x)] + self.types[types])
        for (q, k, v, o, up, down), first, last in self.blocks:
            heads = lambda layer: self.apply_to_bytes(layer, x).reshape(len(x), HEADS, W // HEADS).transpose(1, 0, 2)
            near = heads(q) @ heads(k).transpose(0, 2, 1) / math.sqrt(W // HEADS)
            near = np.exp(near - near.max(-1, keepdims=True))
            seen = (near / near.sum(-1, keepdims=True)) @ heads(v)
            x = self.spread(first, x + self.apply_to_bytes(o, seen.transpose(1, 0, 2).reshape(len(x), W)))
            x = self.spread(last, x + self.apply_to_bytes(down, gelu(self.apply_to_bytes(up, x))))
        return x

    def hear(self, sentences, before, marks):
        """Of each sentence of a message: what its heads say, before it becomes chances. Messages that fit into one window alone."""
        rows = [self.special[CLS:CLS + 1]]
        if before is not None and len(before["ids"]):
            rows += [self.side(before, BEFORE), self.special[SEP:SEP + 1]]
        first, places = sum(map(len, rows)), []
        for sentence in sentences:
            start = sum(map(len, rows))
            rows += [self.side(sentence, WINDOW - 1), self.special[SEP:SEP + 1]]
            places.append((start, start + len(rows[-2])))
        x = self.attend(np.concatenate(rows), first)
        assert len(x) <= WINDOW + BEFORE + 2
        found = []
        for (start, end), one in zip(places, marks):
            z = gelu(self.apply(self.hidden, np.concatenate([x[start:end].mean(0), x[start:end].max(0), x[0], np.array(one)])))
            found.append([self.apply(head, z) for head in self.heads])
        return found

    def compare(self, earlier, later, counted):
        """Log chances of nothing, the same, replaces, ends, asks to forget; of two texts as `reckon_judges` encodes them."""
        a, b = self.side(earlier), self.side(later)
        x = np.concatenate([self.special[CLS:CLS + 1], a, self.special[SEP:SEP + 1], b, self.special[SEP:SEP + 1]])
        x = self.attend(x, len(a) + 2)
        mean = lambda rows: rows.mean(0) if len(rows) else np.zeros(W)
        u, w = mean(x[1:1 + len(a)]), mean(x[len(a) + 2:len(a) + 2 + len(b)])
        z = self.apply(self.pair2, gelu(self.apply(self.pair1, np.concatenate([x[0], u, w, np.abs(u - w), counted]))))
        return z - z.max() - math.log(np.exp(z - z.max()).sum())
