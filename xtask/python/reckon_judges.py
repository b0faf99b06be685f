"""Reckons with NumPy what the judges say, from the committed weights: what `crates/models/src/judge` is held to.

    python reckon_judges.py crates/models/tests/all/judge_readings.json

writes the table of readings that the Rust tests compare with. As a module it serves to look at what the judges make of a text.
"""

import json
import os
import struct
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge_features as features
import judge_lists as lists
import pieces
import reckon_listener
import told

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
P, E, H, C, Z, A, M, G, W, U = 96, 32, 128, 48, 160, 32, 64, 96, 64, 48
S = 2 * H
# How much what the listener hears counts beside what the quick network reads: `judge/mod.rs` has the same.
HEARD_SHARE = 0.8
# As `crates/models/src/judge/mod.rs` weighs what the listener says beside what the lists make of it.
LAYERS = [
    ("project", P, 256, 1), ("conv1", H, P + E, 3), ("conv2", H, H, 3), ("conv3", H, H, 3), ("whole", H, H, 1), ("around", C, S, 1), ("hidden", Z, S + 4 * C + 20, 1), ("label", 6, Z, 1),
    ("category", 14, Z, 1), ("flags", 7, Z, 1), ("span", 1, H, 1), ("ask", A, H, 1), ("key", A, H, 1), ("weigh", M, 4 * H, 1),
    ("pair1", G, 4 * M + 2 * S + 23, 1), ("pair2", 5, G, 1), ("need", 14, S, 1), ("want", W, S, 1), ("give", W, S, 1), ("help1", U, 2 * W + 27, 1), ("help2", 1, U, 1),
]


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


class Judges:
    def __init__(self, weights=os.path.join(ROOT, "assets/judges/weights.bin"), table=os.path.join(ROOT, "assets/embedding")):
        data = open(os.path.join(table, "table.bin"), "rb").read()
        self.old, new, dims = struct.unpack("<III", data[8:20])
        at = 20
        self.s8 = np.frombuffer(data, "<f4", self.old, at)
        at += self.old * 4
        self.s4 = np.frombuffer(data, "<f4", new, at)
        at += new * 4
        self.q8 = np.frombuffer(data, "i1", self.old * dims, at).reshape(self.old, dims)
        at += self.old * dims
        self.q4 = np.frombuffer(data, "u1", new * dims // 2, at).reshape(new, dims // 2)
        self.cut = pieces.Pieces(open(os.path.join(table, "vocab.txt"), encoding="utf8").read().split("\n")[:self.old + new])
        data = open(weights, "rb").read()
        count = struct.unpack("<I", data[8:12])[0]
        at = 12
        rows = np.frombuffer(data, "<u4", count, at)
        at += 4 * count
        scale = np.frombuffer(data, "<f4", count, at)
        at += 4 * count
        own = np.frombuffer(data, "i1", count * E, at).reshape(count, E) * scale[:, None]
        at += count * E
        self.own = {int(row): own[i] for i, row in enumerate(rows)}
        self.layers = {}
        for name, out, inputs, taps in LAYERS:
            shape = (taps, out, inputs) if taps == 3 else (out, inputs)
            size = int(np.prod(shape))
            weight = np.frombuffer(data, "<f4", size, at).reshape(shape)
            at += 4 * size
            self.layers[name] = weight, np.frombuffer(data, "<f4", out, at)
            at += 4 * out
        assert at == len(data), "the weights are of another format"
        self.read_before = {}
        second = os.path.join(os.path.dirname(weights), "lists.tsv")
        self.lists = lists.read(second) if os.path.exists(second) else None
        self.listener = None

    def row(self, i):
        if i < self.old:
            return self.q8[i].astype(np.float32) * self.s8[i]
        packed = self.q4[i - self.old]
        row = np.empty(2 * len(packed), np.float32)
        row[0::2], row[1::2] = (packed & 15).astype(np.float32) - 8, (packed >> 4).astype(np.float32) - 8
        return row * self.s4[i - self.old]

    def apply(self, name, x):
        weight, bias = self.layers[name]
        return x @ weight.T + bias

    def convolve(self, name, x, more=0):
        weight, bias = self.layers[name]
        wide = np.concatenate([np.zeros((1, x.shape[1])), x, np.zeros((1, x.shape[1]))])
        return relu(sum(wide[tap:tap + len(x)] @ weight[tap].T for tap in range(3)) + bias + more)

    def encode(self, text):
        if text in self.read_before:
            return self.read_before[text]
        ids = self.cut.rows(text)[:72]
        rows = np.array([self.row(i) for i in ids]).reshape(len(ids), 256)
        lengths = np.linalg.norm(rows, axis=1).clip(1e-9)
        x = np.concatenate([self.apply("project", rows / lengths[:, None]), np.array([self.own.get(i, np.zeros(E)) for i in ids]).reshape(len(ids), E)], 1)
        if not len(ids):
            self.read_before[text] = found = {"ids": ids, "rows": rows, "lengths": lengths, "h": np.zeros((0, H)), "v": np.zeros(S)}
            return found
        h = self.convolve("conv1", x)
        h = self.convolve("conv2", h) + h
        h = self.convolve("conv3", h, self.apply("whole", h.sum(0) / max(len(h), 1))) + h
        v = np.concatenate([h.max(0), h.mean(0)])
        self.read_before[text] = found = {"ids": ids, "rows": rows, "lengths": lengths, "h": h, "v": v}
        return found

    def heads(self, v, around=(None,) * 4, marks=(0,) * 20):
        z = np.concatenate([v] + [relu(self.apply("around", a if a is not None else np.zeros(S))) for a in around] + [np.array(marks)])
        z = relu(self.apply("hidden", z))
        return softmax(self.apply("label", z)), softmax(self.apply("category", z)), sigmoid(self.apply("flags", z))

    def read(self, message, before=None):
        encoded = [self.encode(t) for t in message]
        earlier = self.encode(before)["v"] if before else None
        found = []
        for i, t in enumerate(message):
            last, after = message[i - 1] if i else None, message[i + 1] if i + 1 < len(message) else None
            around = [encoded[i - 1]["v"] if i else None, encoded[i + 1]["v"] if after else None, encoded[0]["v"] if i else None, earlier]
            found.append(self.heads(encoded[i]["v"], around, features.sentence_marks(t, last, after, i, len(message))))
        return found

    def aligned(self, a, b):
        if not len(a["ids"]):
            return np.zeros(2 * M)
        near = softmax(self.apply("ask", a["h"]) @ self.apply("key", b["h"]).T / np.sqrt(A)) if len(b["ids"]) else np.zeros((len(a["ids"]), 0))
        beside = near @ b["h"]
        m = relu(self.apply("weigh", np.concatenate([a["h"], beside, np.abs(a["h"] - beside), a["h"] * beside], 1)))
        return np.concatenate([m.max(0), m.mean(0)])

    def compare(self, earlier, later):
        x, y = self.encode(earlier), self.encode(later)
        (lu, cu, fu), (lv, cv, fv) = self.heads(x["v"]), self.heads(y["v"])
        hand = counted_by_pieces(x, y) + plain(earlier, later)
        hand += [(cu * cv).sum(), fv[3], fv[1], fu[1], fu[4] * fv[4], abs(fu[4] - fv[4]), lv[1], lv[4], fv[6], fu[6]]
        z = np.concatenate([self.aligned(x, y), self.aligned(y, x), x["v"] * y["v"], np.abs(x["v"] - y["v"]), np.array(hand)])
        return softmax(self.apply("pair2", relu(self.apply("pair1", z))))

    def weigh(self, message, memory):
        """The chance that a memory helps with a message."""
        x, y = self.encode(memory), self.encode(message)
        _, category, flags = self.heads(x["v"])
        need = self.needs(y)
        want, give = self.apply("want", y["v"]), self.apply("give", x["v"])
        counted = [cosine_of(x, y), shared(y, x), shared(x, y)] + plain(memory, message)
        z = np.concatenate([want * give, np.abs(want - give), counted, category, [(need * category).sum(), flags[0]]])
        return float(sigmoid(self.apply("help2", relu(self.apply("help1", z))))[0]), need

    def needs(self, encoded):
        return sigmoid(self.apply("need", encoded["v"]))

    def over(self, later, kept_later, changes, lasting, earlier):
        """The chance of each of several earlier statements to be over by a later one, the likeliest looked at twice: at the sentences, and at what is kept of them."""
        kept_of = [kept for _, kept, *_ in earlier]
        earlier = [(text, *rest) for text, _, *rest in earlier]
        pairs = lists.of_pairs(self, later, changes, lasting, earlier)
        first = lists.chance(self.lists["pair"], pairs)
        if not (first >= lists.WORTH_A_LOOK).any():
            return first
        order = np.argsort(-first, kind="stable")[:lists.SECOND_LOOKS]
        chances = np.minimum(first, lists.NOT_LOOKED_AT)
        if len(order):
            y = self.heads(self.encode(later)["v"])
            rows = [
                lists.of_second_look(self.listened(text, later), y, self.heads(self.encode(text)["v"]), changes, lasting, kept, (later, text), together, days, len(earlier))
                for text, kept, together, days in (earlier[i] for i in order)]
            second = lists.chance(self.lists["second"], lists.beside(rows, lists.SECOND, lists.SECOND_FOUND))
            said, of_kept = ([self.listened(text_of(i), late) for i in order] for text_of, late in ((lambda i: earlier[i][0], later), (lambda i: kept_of[i], kept_later)))
            chances[order] = lists.chance(self.lists["looks"], lists.of_both_looks(first[order], second, said, of_kept, pairs[order]))
        return chances

    def listened(self, earlier, later):
        """What the listener says of two statements."""
        if self.listener is None:
            self.listener = reckon_listener.Listener()
        x, y = self.encode(earlier), self.encode(later)
        return self.listener.compare(x, y, counted_by_pieces(x, y) + plain(earlier, later))

    def heard(self, message, before=None):
        """What the listener hears in a message: sorts, subjects, flags of each sentence."""
        self.listened("", "")
        marks = [features.sentence_marks(t, message[i - 1] if i else None, message[i + 1] if i + 1 < len(message) else None, i, len(message)) for i, t in enumerate(message)]
        said = self.listener.hear([self.encode(t) for t in message], self.encode(before) if before else None, marks)
        logs = lambda chances: np.log(np.maximum(chances, 1e-6))
        mix = lambda a, b: (1 - HEARD_SHARE) * a + HEARD_SHARE * b
        odds = lambda chances: logs(chances) - logs(1 - chances)
        return [
            (softmax(mix(logs(sorts), logs(softmax(label)))), softmax(mix(logs(subjects), logs(softmax(category)))), sigmoid(mix(odds(flags), odds(sigmoid(flagged)))))
            for (sorts, subjects, flags), (label, category, flagged) in zip(self.read(message, before), said)]

    def helping(self, message, memories):
        """The chances of memories to help with a message, and the chance that it calls for memory at all."""
        helps = lists.chance(self.lists["help"], lists.of_memories(self, message, memories))
        return helps, float(lists.chance(self.lists["call"], lists.of_message(lists.message_heads(self, message), helps)))

    def core(self, text):
        """The chance of a text by itself to belong in front of every conversation."""
        return float(lists.chance(self.lists["core"], lists.of_text(self.heads(self.encode(text)["v"]), text)))

    @staticmethod
    def cosine(x, y):
        return cosine_of(x, y)

    @staticmethod
    def shared(x, y):
        return shared(x, y)

    @staticmethod
    def plain(a, b):
        return plain(a, b)


def cosine_of(x, y):
    a, b = x["rows"].sum(0), y["rows"].sum(0)
    return float(a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), 1e-8))


def counted_by_pieces(x, y):
    """Of an earlier and a later statement."""
    near = (y["rows"] / y["lengths"][:, None]) @ (x["rows"] / x["lengths"][:, None]).T
    to_a = (near.max(1, initial=0) * y["lengths"]).sum() / max(y["lengths"].sum(), 1e-9)
    to_b = (near.max(0, initial=0) * x["lengths"]).sum() / max(x["lengths"].sum(), 1e-9)
    return [cosine_of(x, y), to_a, to_b, shared(y, x), shared(x, y)]


def shared(x, y):
    return sum(n for i, n in zip(x["ids"], x["lengths"]) if i in y["ids"]) / max(x["lengths"].sum(), 1e-9)


def plain(a, b):
    na, nb, ca, cb = features.numbers(a), features.numbers(b), features.names(a), features.names(b)
    return [float(bool(na)), float(bool(nb)), float(bool(na and nb)), float(na == nb), float(bool(na & nb)), float(bool(ca & cb)), min(len(cb - ca), 3) / 3, min(len(ca - cb), 3) / 3]


MESSAGES = [
    (["Don't forget that I'm allergic to penicillin."], None), (["Can you translate this for me:", "I live in Oslo and I am allergic to nuts.", "Thanks!"], None),
    (["Ich wohne seit März in Kassel."], "Hallo"), (["忘掉我刚才说的关于小李的事"], None), (["We pushed the launch to 14:30 on the 12th, by the way."], "Plan the launch"),
    (["मेरी बहन को मूंगफली से एलर्जी है"], None), (["if I moved to Rome, what would I need?"], None), (["Write a function that sorts a list."], None),
]
PAIRS = [
    ("I take 10 mg of ramipril", "the doctor put me on 20 mg now"), ("My sister lives in Toronto", "My brother lives in Ottawa"), ("je travaille chez Kelpia", "j'ai démissionné de Kelpia"),
    ("The wedding is on 3 May", "wrong day, it's the 10th"), ("Clara is getting divorced", "please forget what I said about Clara"),
]
WEIGHED = [
    ("What can I cook tonight for everybody?", "Tom can't eat peanuts"), ("What can I cook tonight for everybody?", "I drive a blue Fiesta"), ("Was koche ich heute?", "ich esse kein Fleisch mehr"),
    ("What's the capital of France?", "My name is Mara"), ("Is Tuesday fine for the dentist?", "Tuesdays I work till 8"), ("明天能约早上吗", "我每天早上六点去跑步"),
]
OVER = ("it makes me dizzy, but the doctor put me up to 20 mg of it", "the doctor put me up to 20 mg of it", 0.8, 0.7, [
    ("I take 10 mg of ramipril", "I take 10 mg of ramipril", 0.9, False, 12.0), ("My sister Ana lives in Porto", "My sister Ana lives in Porto", 0.95, True, 0.0), ("ja, ich wohne in Kassel", "ich wohne in Kassel", 0.6, False, 90.0)])
HELPING = ("What can I cook tonight for everybody?", [("Tom can't eat peanuts", 0.9, 2), ("I drive a blue Fiesta", 0.8, 1), ("wir essen kein Fleisch", 0.7, 0)])


def main():
    judges = Judges()
    rounded = lambda values: [round(float(value), 5) for value in values]
    table = {"messages": [], "pairs": [], "weighed": []}
    for message, before in MESSAGES:
        looks = {"read": judges.read(message, before), "heard": judges.heard(message, before)}
        of = lambda said: {"sorts": [rounded(r[0]) for r in said], "flags": [rounded(r[2]) for r in said], "subjects": [told.CATEGORIES[int(r[1].argmax())] for r in said]}
        table["messages"].append({"message": message, "before": before, **{name: of(said) for name, said in looks.items()}})
    for earlier, later in PAIRS:
        table["pairs"].append({"earlier": earlier, "later": later, "chances": rounded(judges.compare(earlier, later)), "heeded": rounded(np.exp(judges.listened(earlier, later)))})
    for message, memory in WEIGHED:
        helps, need = judges.weigh(message, memory)
        table["weighed"].append({"message": message, "memory": memory, "helps": round(helps, 5), "needs": rounded(need)})
    later, kept_later, changes, lasting, earlier = OVER
    table["over"] = {"later": later, "kept_later": kept_later, "changes": changes, "lasting": lasting, "earlier": earlier, "chances": rounded(judges.over(*OVER))}
    message, memories = HELPING
    helps, calls = judges.helping(message, memories)
    table["helping"] = {"message": message, "memories": memories, "helps": rounded(helps), "calls": round(calls, 5), "core": rounded(judges.core(text) for text, _, _ in memories)}
    with open(sys.argv[1], "w", encoding="utf8") as out:
        json.dump(table, out, ensure_ascii=False, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
