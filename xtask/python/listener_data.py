"""What the listener learns from, gathered once and kept in one file: the sentences of `eval/told` as it hears them, and its statements by two.

    python listener_data.py --told eval/told --table assets/embedding --data FOLDER --out gathered.pkl
"""

import argparse
import hashlib
import json
import os
import pickle
import random
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge_features as features
import pieces
import told
import train_judges as tj
from listener_net import CLS, FIRST, FLAGS, SEP

WINDOW, BEFORE, SIDE = 120, 24, 48



class Message:
    __slots__ = ("texts", "labels", "earlier", "weights", "language", "life", "alone")


def messages_of(folder, extra, dice):
    problems, found = [], []

    def put(message, earlier, language, life, weight=1.0, sentences=None):
        m = Message()
        m.texts, m.earlier, m.language, m.life = [s.text[:600] for s in message], earlier, language, life
        m.labels, m.weights = message, [weight] * len(message)
        found.append(m)
        return m

    lives = told.lives(folder, problems)
    for life in lives:
        for conversation in life.conversations:
            earlier = None
            for message in conversation:
                put(message, earlier, life.language, life.name)
                if dice.random() < 0.25:
                    put(message, None, life.language, life.name, 0.5)
                for dress, share in ((tj.neat, 0.4), (tj.loose, 0.2)):
                    if dice.random() < share:
                        put(tj.dressed(message, life.language, dress), earlier, life.language, life.name, 0.7)
                for place, s in enumerate(message):
                    if place and dice.random() < 0.15:
                        both = tj.merged(message[place - 1], s, dice)
                        if both:
                            put(message[:place - 1] + [both] + message[place + 1:], earlier, life.language, life.name, 0.6)
                    if s.label == "keep" and s.clause and s.clause != s.text and dice.random() < 0.4:
                        alone = tj.dressed([s], life.language, lambda text, language: tj.neat(s.clause, language))[0]
                        alone.more = []
                        put([alone], None, life.language, life.name, 0.5)
                    if s.label == "keep" and dice.random() < 0.1:
                        both = tj.announced(s, life.language, dice, dice.random() < 0.5)
                        put(message[:place] + both + message[place + 1:], earlier, life.language, life.name, 0.7)
                    if s.label == "keep" and dice.random() < 0.05:
                        put([tj.asked_to_keep(s, life.language, dice)], None, life.language, life.name, 0.7)
                    # Each sentence by itself too, as parts are read.
                    if len(message) > 1 and dice.random() < 0.12:
                        put([s], None, life.language, life.name, 0.4)
                earlier = message[0].text
    for n, (language, message) in enumerate(told.texts(folder, problems)):
        put(message, None, language, f"text-{language}-{n}")
        put(tj.dressed(message, language, dice.choice([tj.neat, tj.loose])), None, language, f"text-{language}-{n}", 0.6)
    for n, (language, s) in enumerate(told.lines(folder, problems)):
        put([s], None, language, f"line-{language}-{n // 10}")
        if n % 2:
            put(tj.dressed([s], language, tj.neat), None, language, f"line-{language}-{n // 10}", 0.8)
    for n, (language, mark, x, y, category) in enumerate(told.pairs(folder, problems)):
        for text, weight in ((tj.neat(x, language), 0.5), (y, 0.3)):
            if mark != "u" and (text is not y or not any(c in y for c in "?？؟")):
                put([tj.plain_fact(text, category)], None, language, f"pair-{language}-{n // 10}", weight)
    for text in extra:
        put([told.Sentence(text, "none")], None, "xx", "task-" + text[:20], 0.5)
    return found, lives


class Cut:
    def __init__(self, vocabulary):
        self.pieces, self.kept = pieces.Pieces(vocabulary), {}

    def rows(self, text):
        found = self.kept.get(text)
        if found is None:
            found = self.kept[text] = [r + FIRST for r in self.pieces.rows(text)]
        return found

def windows(lengths):
    """Which sentences are heard together: as many as there is room for."""
    found, here, used = [], [], 0
    for i, n in enumerate(lengths):
        n = min(n, WINDOW - 1) + 1
        if here and used + n > WINDOW:
            found.append(here)
            here, used = [], 0
        here.append(i)
        used += n
    return found + [here] if here else found

def sequences(texts, earlier, cut):
    """By window: ids, types, the sentence of each token (or -1), the sentences."""
    rows = [cut.rows(t) for t in texts]
    for n, here in enumerate(windows([len(r) for r in rows])):
        context = earlier if n == 0 else texts[0]
        before = cut.rows(context)[:BEFORE] if context else []
        ids, types, seg = [CLS] + before + [SEP] * bool(before), None, None
        types, seg = [0] * len(ids), [-1] * len(ids)
        for i in here:
            r = rows[i][:WINDOW - 1]
            ids += r + [SEP]
            types += [1] * (len(r) + 1)
            seg += [i] * len(r) + [-1]
        yield ids, types, seg, here

class Heard:
    """All windows of all messages as lists, and their labels."""

    def __init__(self, messages, cut):
        self.windows = []
        for m in messages:
            marks = [features.sentence_marks(t, m.texts[i - 1] if i else None, m.texts[i + 1] if i + 1 < len(m.texts) else None, i, len(m.texts)) for i, t in enumerate(m.texts)]
            for ids, types, seg, here in sequences(m.texts, m.earlier, cut):
                local = {s: n for n, s in enumerate(here)}
                spans = [-1.0] * len(ids)
                for i in here:
                    s = m.labels[i]
                    if s.label == "keep":
                        span = tj.span_of(s, SpanCut(cut))
                        if span:
                            at = seg.index(i) if i in seg else None
                            if at is not None:
                                for k, value in enumerate(span[:seg.count(i)]):
                                    spans[at + k] = value
                rows = []
                for i in here:
                    s = m.labels[i]
                    keep = s.label == "keep"
                    flagged = keep and s.flags is not None
                    rows.append((told.LABELS.index(s.label), told.CATEGORIES.index(s.category) if keep else -1, tj.flags_of(s) if flagged else [0.0] * len(FLAGS), flagged, m.weights[i], marks[i]))
                self.windows.append((ids, types, [local.get(s, -1) if s >= 0 else -1 for s in seg], spans, rows, m.language, m.life))

class SpanCut:
    def __init__(self, cut):
        self.cut = cut

    def rows(self, text):
        return self.cut.rows(text)


def gather(folder, table, data):
    """Everything that trainings read: texts, windows, pairs and messages."""
    dice = random.Random(7)
    _, vocabulary = tj.read_table(table)
    texts = tj.Texts(pieces.Pieces(vocabulary))
    extra = []
    gate = os.path.join(data, "gate-dev.jsonl")
    if os.path.exists(gate):
        for line in open(gate, encoding="utf8"):
            row = json.loads(line)
            if not row["needs_memory"] and int(hashlib.sha1(row["text"].encode()).hexdigest(), 16) % 2 == 0:
                extra.append(row["text"][:500])
    _, pairs, _, _ = tj.build(folder, texts, extra, set(), dice)
    messages, lives = messages_of(folder, extra, dice)
    cut = Cut(vocabulary)
    heard = Heard(messages, cut)
    plain = np.array([tj.plain_features(texts.text[p[0]], texts.text[p[1]]) for p in pairs], "f2")
    tests = [m for m in messages if m.weights[0] == 1.0 and not m.life.startswith(("task", "pair", "line", "text"))]
    return {"text": texts.text, "rows": texts.rows, "pairs": pairs, "plain": plain, "windows": heard.windows, "tests": tests, "lives": lives}


def read(path, vocabulary):
    """What was gathered, with texts that can be looked up."""
    with open(path, "rb") as f:
        found = pickle.load(f)
    texts = tj.Texts(pieces.Pieces(vocabulary))
    texts.text, texts.rows = found["text"], found["rows"]
    texts.place = {text: i for i, text in enumerate(texts.text)}
    found["texts"] = texts
    return found


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--told", default="eval/told")
    a.add_argument("--table", default="assets/embedding")
    a.add_argument("--data", default=".")
    a.add_argument("--out", required=True)
    a = a.parse_args()
    # Under the name by which others load it.
    import listener_data
    found = listener_data.gather(a.told, a.table, a.data)
    tj.say("gathered", len(found["windows"]), "windows", len(found["pairs"]), "pairs")
    with open(a.out, "wb") as f:
        pickle.dump(found, f, protocol=5)


if __name__ == "__main__":
    main()
