"""Trains the judges of what is told: which sentences last, whose words they are, what they are about, and what they do to what was told before.

    python train_judges.py --data FOLDER --told eval/told --out FOLDER [--leave-out ru,zh] [--device cuda]

One small network reads a sentence: the built-in table's rows (frozen, each brought to length 1) through a projection, beside a short row of its own for
pieces that the training has often seen; three convolutions of three, the last with a look at the whole; the greatest and the mean over the pieces. Small heads read that, with the sentences around
it. A second small network compares two such readings. The data is `eval/told`, written for this project.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import re
import struct
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge_features as features
import pieces
import told

D, P, E, H, C, Z, A, M, G, W, U = 256, 96, 32, 128, 48, 160, 32, 64, 96, 64, 48
S = 2 * H
MAX = 72
FLAGS = ["core", "past", "keep", "change", "other", "missing", "until"]
PAIRS = ["none", "same", "replaces", "ends", "forgets"]
HAND = 23
# What is counted about a message and a memory: cosine, the two shares of common pieces, names and numbers, and what the heads say.
BESIDE = 3 + 8 + len(told.CATEGORIES) + 2
STARTED = time.time()
RATE = 2.5e-3


def say(*words):
    print(f"[{time.time() - STARTED:6.1f}]", *words, flush=True)


def read_table(folder):
    data = open(os.path.join(folder, "table.bin"), "rb").read()
    old, new, dims = struct.unpack("<III", data[8:20])
    at = 20
    s8 = np.frombuffer(data, "<f4", old, at)
    at += old * 4
    s4 = np.frombuffer(data, "<f4", new, at)
    at += new * 4
    q8 = np.frombuffer(data, "i1", old * dims, at).reshape(old, dims)
    packed = np.frombuffer(data[at + old * dims:], "u1").reshape(new, dims // 2)
    q4 = np.empty((new, dims), np.float32)
    q4[:, 0::2] = (packed & 15).astype(np.float32) - 8
    q4[:, 1::2] = (packed >> 4).astype(np.float32) - 8
    table = np.concatenate([q8.astype(np.float32) * s8[:, None], q4 * s4[:, None]])
    vocabulary = open(os.path.join(folder, "vocab.txt"), encoding="utf8").read().split("\n")[:len(table)]
    return table, vocabulary


class Texts:
    """All distinct texts, cut."""

    def __init__(self, cut):
        self.cut, self.place, self.rows, self.text = cut, {"": 0}, [[]], [""]

    def __call__(self, text):
        if text is None:
            return 0
        text = text[:600]
        at = self.place.get(text)
        if at is None:
            at = self.place[text] = len(self.rows)
            self.rows.append(self.cut.rows(text)[:MAX])
            self.text.append(text)
        return at


class Example:
    __slots__ = ("cur", "prev", "next", "first", "earlier", "marks", "label", "category", "flags", "span", "weight", "language", "life")


def held_out(name):
    return int(hashlib.sha1(name.encode()).hexdigest(), 16) % 10 == 0


def flags_of(s):
    flags = [0.0] * len(FLAGS)
    facts = [s] + s.more
    flags[0] = float(any("core" in f.flags for f in facts))
    flags[1] = float("past" in s.flags)
    flags[2] = float("keep" in s.flags)
    flags[3] = float(any(r[0] in "rec" for f in facts for r in f.relations))
    other = s.who and s.who.lower() != "me"
    flags[4] = float(bool(other))
    flags[5] = float(bool(other) and s.who.lower()[:4] not in s.text.lower())
    flags[6] = float(bool({"until", "on"} & s.flags))
    return flags


def span_of(s, cut):
    """By piece, whether it belongs to a fact's clause; None where the whole sentence does."""
    clauses = {c for f in [s] + s.more for c in [f.clause or f.text] if c in s.text}
    if not clauses or any(len(c) > 0.92 * len(s.text) for c in clauses):
        return None
    inside = [False] * len(s.text)
    for clause in clauses:
        at = s.text.find(clause)
        for i in range(at, at + len(clause)):
            inside[i] = True
    # Cut the runs one by one, so that pieces can be told apart.
    marks, start = [], 0
    for i in range(1, len(s.text) + 1):
        if i == len(s.text) or inside[i] != inside[start]:
            marks += [float(inside[start])] * len(cut.rows(s.text[start:i]))
            start = i
    return marks


def merged(a, b, dice):
    """Two sentences run together, as people type."""
    joint = dice.choice([" ", ", ", " - ", " and ", "... "])
    s = told.Sentence(a.text.rstrip(".!") + joint + b.text, "none")
    kept = [x for x in (a, b) if x.label == "keep"]
    if {a.label, b.label} - {"keep", "none"}:
        return None
    if kept:
        main = kept[-1]
        s.label, s.category, s.who, s.flags, s.relations = "keep", main.category, main.who, set(main.flags), list(main.relations)
        s.clause = main.clause
        s.more = list(main.more) + [f for k in kept[:-1] for f in [k] + k.more]
    return s


KEEPING = {
    "en": ["Don't forget that ", "Don't forget: ", "Remember that ", "Please remember: ", "dont forget ", "Note that ", "Keep in mind that "], "de": ["Nicht vergessen: ", "Vergiss nicht: ", "Merk dir bitte: ", "Denk dran: "],
    "es": ["No olvides que ", "No te olvides de que ", "Recuerda que ", "Acuérdate: "], "pt": ["Não esqueça que ", "Não te esqueças que ", "Lembra que "], "fr": ["N'oublie pas que ", "Retiens que ", "Souviens-toi : "],
    "it": ["Non dimenticare che ", "Ricordati che ", "Tieni a mente che "], "nl": ["Niet vergeten: ", "Onthoud even: ", "Vergeet niet: "], "pl": ["Nie zapomnij, że ", "Pamiętaj, że ", "Zapamiętaj: "], "ru": ["Не забудь, что ", "Запомни: ", "Помни, что "],
    "tr": ["Unutma, ", "Aklında olsun, ", "Not al: "], "ar": ["لا تنسى أن ", "تذكر أن ", "خليك فاكر: "], "hi": ["मत भूलना कि ", "याद रखना, ", "ध्यान रहे, "], "zh": ["别忘了，", "记住，", "请记得"], "ja": ["忘れないで、", "覚えておいて、"], "ko": ["잊지 마, ", "기억해 줘, "], "sv": ["Glöm inte att ", "Kom ihåg att ", "Kom ihåg: "],
}


# How people announce what they tell: a colon before it makes it nobody else's words.
NEWS = {
    "en": ["Big news:", "Update:", "Quick update:", "Oh and:", "FYI:", "Decision made:", "One thing up front:", "So here's the thing:", "Good news first:", "For the record:"], "de": ["Große Neuigkeit:", "Übrigens:", "Kurzes Update:", "Vorab:", "Zur Info:", "Entscheidung gefallen:", "Also:"],
    "es": ["Gran noticia:", "Novedad:", "Por cierto:", "Te cuento:", "Para que sepas:", "Decidido:"], "pt": ["Novidade:", "Grande notícia:", "Só pra você saber:", "Decidido:", "Atualização:"], "fr": ["Grande nouvelle :", "Au fait :", "Pour info :", "Nouveauté :", "C'est décidé :", "Petite précision :"],
    "it": ["Grande novità:", "Novità:", "Per la cronaca:", "Ti dico:", "Deciso:", "Aggiornamento:"], "nl": ["Groot nieuws:", "Even een update:", "Ter info:", "Trouwens:", "Besloten:"], "pl": ["Nowina:", "Wielka wiadomość:", "Tak w ogóle:", "Dla jasności:", "Zdecydowane:"], "ru": ["Новость:", "Радость у нас:", "Кстати:", "Для справки:", "Решено:", "Обновление:"],
    "tr": ["Müjde:", "Haberler var:", "Bu arada:", "Bilgin olsun:", "Karar verdik:"], "ar": ["خبر حلو:", "للعلم:", "على فكرة:", "قررنا:", "تحديث:"], "hi": ["बड़ी खबर:", "वैसे:", "बता दूँ:", "फैसला हो गया:"], "zh": ["大新闻：", "更新一下：", "对了：", "先说一下：", "定了："], "ja": ["報告：", "お知らせ：", "ちなみに：", "決まりました："], "ko": ["소식 하나:", "참고로:", "업데이트:", "결정했어:"], "sv": ["Stor nyhet:", "Förresten:", "Bara så du vet:", "Bestämt nu:"],
}


def announced(s, language, dice, within):
    """A fact behind its announcement: as one sentence or as two."""
    news = dice.choice(NEWS[language])
    if not within:
        return [told.Sentence(news, "none"), s]
    t = dressed([s], language, lambda text, language: news + ("" if language in ("zh", "ja") else " ") + text)[0]
    t.clause = s.clause or s.text
    return [t]


def neat(text, language):
    """As somebody writes who minds their letters."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    if text and (text[-1].isalnum() or text[-1] in ")%"):
        text += {"zh": "。", "ja": "。"}.get(language, ".")
    return text


def loose(text, language):
    """As somebody types in a hurry."""
    text = text.strip().rstrip(".。")
    return text[:1].lower() + text[1:]


def dressed(message, language, dress):
    found = []
    for s in message:
        t = told.Sentence(dress(s.text, language), s.label)
        t.category, t.who, t.flags, t.relations, t.more, t.number, t.forgets = s.category, s.who, s.flags, s.relations, s.more, s.number, s.forgets
        t.clause = s.clause if s.clause and s.clause in t.text else None
        found.append(t)
    return found


def asked_to_keep(s, language, dice):
    t = dressed([s], language, lambda text, language: dice.choice(KEEPING[language]) + text)[0]
    t.flags = set(s.flags) | {"keep"}
    t.clause = s.clause
    return t


STORE = 28


def current_facts(life):
    """What holds at the end of a life, by number."""
    facts = {}
    for s in life.sentences():
        for n in s.forgets:
            facts.pop(n, None)
        if s.label != "keep":
            continue
        for f in [s] + s.more:
            for r, n in f.relations:
                if r in "rec":
                    facts.pop(n, None)
            if f.number is not None:
                facts[f.number] = f
    return facts


def asked_of(life, texts, dice):
    """Each message of a later conversation beside what is known by then: (message, memories, whether each helps, their subjects, language, life)."""
    facts = current_facts(life)
    noise = [s.text for s in life.sentences() if s.label == "none" and len(s.text) > 20]
    found = []
    for ask, needs, also in life.questions + [(small, [], []) for small in life.small]:
        known = [(f.clause if dice.random() < 0.6 and f.clause else f.text, 1.0 if n in needs else 0.4 if n in also else 0.0, told.CATEGORIES.index(f.category)) for n, f in facts.items()]
        if needs and not any(y == 1.0 for _, y, _ in known):
            continue
        known += [(text, 0.0, -1) for text in dice.sample(noise, min(len(noise), 4))]
        dice.shuffle(known)
        known = sorted(known, key=lambda k: -k[1])[:STORE]
        if known:
            found.append((texts(ask), [texts(k[0]) for k in known], [k[1] for k in known], [k[2] for k in known], life.language, life.name))
    return found


def idle_asked(lives, tasks, texts, dice):
    """Messages that need nothing beside what is known of somebody: everybody's days are full of them."""
    found = []
    by_language = collections.defaultdict(list)
    for life in lives:
        by_language[life.language].append(life)
    for language, name, text in tasks:
        life = dice.choice(by_language.get(language) or lives)
        known = [(f.clause if dice.random() < 0.6 and f.clause else f.text, 0.0, -1) for f in current_facts(life).values()][:STORE]
        if known:
            found.append((texts(text), [texts(k[0]) for k in known], [0.0] * len(known), [-1] * len(known), life.language, name if held_out(name) == held_out(life.name) else life.name))
    return found


def plain_fact(text, category):
    s = told.Sentence(text, "keep")
    # Whether it belongs in front of every conversation, and the like, nobody has said of it.
    s.category, s.who, s.clause, s.flags = category, "me", text, None
    return s


def build(folder, texts, extra, leave, dice):
    problems = []
    lives = told.lives(folder, problems)
    examples, pairs, asked = [], [], []

    def example(message, place, earlier, language, life, weight=1.0, s=None):
        s = s or message[place]
        e = Example()
        before = message[place - 1].text if place else None
        after = message[place + 1].text if place + 1 < len(message) else None
        e.cur, e.prev, e.next = texts(s.text), texts(before), texts(after)
        e.first = texts(message[0].text) if place else 0
        e.earlier = texts(earlier)
        e.marks = features.sentence_marks(s.text, before, after, place, len(message))
        e.label = told.LABELS.index(s.label)
        e.category = told.CATEGORIES.index(s.category) if s.label == "keep" else -1
        e.flags = flags_of(s) if s.label == "keep" and s.flags is not None else None
        e.span = span_of(s, texts.cut) if s.label == "keep" else None
        e.weight, e.language, e.life = weight, language, life
        examples.append(e)

    for life in lives:
        for conversation in life.conversations:
            earlier = None
            for message in conversation:
                for place in range(len(message)):
                    example(message, place, earlier, life.language, life.name)
                    if place and dice.random() < 0.3:
                        both = merged(message[place - 1], message[place], dice)
                        if both:
                            short = message[:place - 1] + [both] + message[place + 1:]
                            example(short, place - 1, earlier, life.language, life.name, 0.6)
                for dress, share in ((neat, 0.5), (loose, 0.2)):
                    if dice.random() < share:
                        other = dressed(message, life.language, dress)
                        for place in range(len(other)):
                            example(other, place, earlier, life.language, life.name, 0.7)
                for place, s in enumerate(message):
                    if s.label == "keep" and s.clause and s.clause != s.text and dice.random() < 0.4:
                        alone = dressed([s], life.language, lambda text, language: neat(s.clause, language))[0]
                        alone.more = []
                        example([alone], 0, None, life.language, life.name, 0.5)
                    if s.label == "keep" and dice.random() < 0.1:
                        both = announced(s, life.language, dice, dice.random() < 0.5)
                        other = message[:place] + both + message[place + 1:]
                        example(other, place + len(both) - 1, earlier, life.language, life.name, 0.7)
                    if s.label == "keep" and dice.random() < 0.05:
                        example([asked_to_keep(s, life.language, dice)], 0, None, life.language, life.name, 0.7)
                earlier = message[0].text
        # What each fact does to those before it.
        known = []
        tidy = dice.random() < 0.35
        for s in life.sentences():
            if s.label == "forget":
                for old in known:
                    for f in [old] + old.more:
                        pairs.append((texts(f.clause or f.text), texts(s.text), 4 if f.number in s.forgets else 0, life.language, life.name, False))
            if s.label != "keep":
                continue
            for f in [s] + s.more:
                does = {n: r for r, n in f.relations}
                said = (f.clause or f.text) if dice.random() < 0.3 else s.text if f is s else f.text
                for old in known:
                    for g in [old] + old.more:
                        r = does.get(g.number)
                        if r == "d":
                            r = None
                        y = {None: 0, "s": 1, "r": 2, "c": 2, "e": 3}[r]
                        # As the program lays them beside each other: what is kept of them, or the sentences that they were said in.
                        a = (old.text if g is old else g.text) if dice.random() < 0.4 else g.clause or g.text
                        b = said
                        if tidy:
                            a, b = neat(a, life.language), neat(b, life.language)
                        pairs.append((texts(a), texts(b), y, life.language, life.name, g.category == f.category))
                        if y and f is s and f.clause and f.clause != s.text:
                            pairs.append((texts(g.text), texts(f.clause), y, life.language, life.name, True))
            known.append(s)
        asked += asked_of(life, texts, dice)
    tasks = [("en", "task-" + text[:20], text) for text in extra]
    for n, (language, message) in enumerate(told.texts(folder, problems)):
        if all(s.label != "keep" for s in message):
            tasks.append((language, f"text-{language}-{n}", " ".join(s.text for s in message)[:500]))
        for place in range(len(message)):
            example(message, place, None, language, f"text-{language}-{n}")
        for dress in (neat, loose):
            other = dressed(message, language, dress)
            for place in range(len(other)):
                example(other, place, None, language, f"text-{language}-{n}", 0.6)
    for n, (language, s) in enumerate(told.lines(folder, problems)):
        example([s], 0, None, language, f"line-{language}-{n // 10}")
        example(dressed([s], language, neat), 0, None, language, f"line-{language}-{n // 10}", 0.8)
    for n, (language, mark, a, b, category) in enumerate(told.pairs(folder, problems)):
        # What was told before is a fact that stands by itself, short and plain; what is told later often is one too.
        for text, weight in ((a, 0.6), (neat(a, language), 0.4), (b, 0.3)):
            if mark != "u" and (text is not b or not any(c in b for c in "?？؟")):
                example([plain_fact(text, category)], 0, None, language, f"pair-{language}-{n // 10}", weight)
        y = {"r": 2, "c": 2, "e": 3, "s": 1, "d": 0, "b": 0, "u": 0}[mark]
        pairs.append((texts(a), texts(b), y, language, f"pair-{language}-{n // 10}", True))
        if n % 2:
            pairs.append((texts(neat(a, language)), texts(neat(b, language)), y, language, f"pair-{language}-{n // 10}", True))
    for text in extra:
        s = told.Sentence(text, "none")
        example([s], 0, None, "xx", "task-" + text[:20], 0.5)
    for life in lives:
        for conversation in life.conversations:
            for message in conversation:
                if len(message) == 1 and message[0].label == "none" and dice.random() < 0.15:
                    tasks.append((life.language, life.name, message[0].text))
    asked += idle_asked(lives, tasks, texts, dice)
    say(len(problems), "problems", problems[:3], len(asked), "messages beside what is known,", len(tasks), "of them tasks")
    return examples, pairs, asked, lives


class Reader(nn.Module):
    def __init__(self, rows, known):
        super().__init__()
        self.register_buffer("rows", rows)  # unit rows, half precision
        self.register_buffer("known", known)  # row -> place in own, 0 unknown
        self.own = nn.Embedding(int(known.max()) + 1, E, padding_idx=0)
        nn.init.normal_(self.own.weight, std=0.1)
        with torch.no_grad():
            self.own.weight[0] = 0
        self.project = nn.Linear(D, P)
        self.conv1 = nn.Conv1d(P + E, H, 3, padding=1)
        self.conv2 = nn.Conv1d(H, H, 3, padding=1)
        self.conv3 = nn.Conv1d(H, H, 3, padding=1)
        self.whole = nn.Linear(H, H)
        self.around = nn.Linear(S, C)
        self.hidden = nn.Linear(S + 4 * C + features.MARKS, Z)
        self.label = nn.Linear(Z, len(told.LABELS))
        self.category = nn.Linear(Z, len(told.CATEGORIES))
        self.flags = nn.Linear(Z, len(FLAGS))
        self.span = nn.Linear(H, 1)
        self.ask = nn.Linear(H, A)
        self.key = nn.Linear(H, A)
        self.weigh = nn.Linear(4 * H, M)
        self.pair1 = nn.Linear(4 * M + 2 * S + HAND, G)
        self.pair2 = nn.Linear(G, len(PAIRS))
        self.need = nn.Linear(S, len(told.CATEGORIES))
        self.want = nn.Linear(S, W)
        self.give = nn.Linear(S, W)
        self.help1 = nn.Linear(2 * W + BESIDE, U)
        self.help2 = nn.Linear(U, 1)

    def tokens(self, ids, mask):
        x = self.project(self.rows[ids].float())
        own = self.own(self.known[ids])
        if self.training:
            own = own * (torch.rand(ids.shape, device=ids.device) > 0.3)[..., None]
            x = x * (torch.rand(ids.shape, device=ids.device) > 0.08)[..., None]
        x = torch.cat([x, own], -1) * mask[..., None]
        h = F.relu(self.conv1(F.dropout(x, 0.15, self.training).transpose(1, 2))).transpose(1, 2) * mask[..., None]
        h = (F.relu(self.conv2(F.dropout(h, 0.15, self.training).transpose(1, 2))).transpose(1, 2) + h) * mask[..., None]
        whole = self.whole(h.sum(1) / mask.sum(1, keepdim=True).clamp_min(1))[:, None]
        h = (F.relu(self.conv3(F.dropout(h, 0.15, self.training).transpose(1, 2)).transpose(1, 2) + whole) + h) * mask[..., None]
        return h

    def encode(self, ids, mask):
        h = self.tokens(ids, mask)
        top = h.max(1).values  # activations are not negative, so padding's zero is the least
        mean = h.sum(1) / mask.sum(1, keepdim=True).clamp_min(1)
        return torch.cat([top, mean], -1), h

    def judge(self, cur, around, marks):
        z = torch.cat([cur] + [F.relu(self.around(a)) for a in around] + [marks], -1)
        z = F.relu(self.hidden(F.dropout(z, 0.2, self.training)))
        z = F.dropout(z, 0.2, self.training)
        return self.label(z), self.category(z), self.flags(z)

    def aligned(self, h, mask, g, other):
        """Each piece of one text beside what the other says of it."""
        near = torch.bmm(self.ask(h), self.key(g).transpose(1, 2)) / A ** 0.5
        near = near.masked_fill(other[:, None, :] == 0, -1e4).softmax(-1)
        beside = torch.bmm(near, g)
        m = F.relu(self.weigh(F.dropout(torch.cat([h, beside, (h - beside).abs(), h * beside], -1), 0.15, self.training))) * mask[..., None]
        return torch.cat([m.max(1).values, m.sum(1) / mask.sum(1, keepdim=True).clamp_min(1)], -1)

    def compare(self, a, b, hand):
        (u, h, hm), (v, g, gm) = a, b
        z = torch.cat([self.aligned(h, hm, g, gm), self.aligned(g, gm, h, hm), u * v, (u - v).abs(), hand], -1)
        z = F.relu(self.pair1(F.dropout(z, 0.2, self.training)))
        return self.pair2(F.dropout(z, 0.2, self.training))

    def helps(self, message, memory, counted):
        """Whether a memory helps with a message: vectors of both, and what is counted about them."""
        need = self.need(message)
        with torch.no_grad():
            _, category, flags = self.judge(memory, [torch.zeros_like(memory)] * 4, torch.zeros(len(memory), features.MARKS, device=memory.device))
            category, core = category.softmax(-1), flags[:, :1].sigmoid()
        met = (need.sigmoid() * category).sum(-1, keepdim=True)
        want, give = F.dropout(self.want(message), 0.15, self.training), F.dropout(self.give(memory), 0.15, self.training)
        z = torch.cat([want * give, (want - give).abs(), counted, category, met, core], -1)
        z = F.relu(self.help1(F.dropout(z, 0.1, self.training)))
        return self.help2(F.dropout(z, 0.1, self.training))[:, 0], need


class Data:
    def __init__(self, texts, table, device):
        n = len(texts.rows)
        self.ids = torch.zeros(n, MAX, dtype=torch.long)
        self.mask = torch.zeros(n, MAX)
        for i, rows in enumerate(texts.rows):
            self.ids[i, :len(rows)] = torch.tensor(rows[:MAX], dtype=torch.long)
            self.mask[i, :len(rows)] = 1
        self.ids, self.mask = self.ids.to(device), self.mask.to(device)
        self.table = torch.tensor(table, device=device)
        self.norm = self.table.norm(dim=-1).clamp_min(1e-9)
        self.texts = texts

    def get(self, at):
        ids, mask = self.ids[at], self.mask[at]
        width = max(1, int(mask.sum(1).max()))
        return ids[:, :width], mask[:, :width]


def hand_features(data, a, b, plain):
    """Of pairs of texts, what can be counted."""
    ids_a, mask_a = data.get(a)
    ids_b, mask_b = data.get(b)
    va, vb = data.table[ids_a] * mask_a[..., None], data.table[ids_b] * mask_b[..., None]
    cosine = F.cosine_similarity(va.sum(1), vb.sum(1), dim=-1)
    ua, ub = F.normalize(va, dim=-1), F.normalize(vb, dim=-1)
    near = torch.bmm(ub, ua.transpose(1, 2))
    wa, wb = data.norm[ids_a] * mask_a, data.norm[ids_b] * mask_b
    to_a = (near.amax(2).clamp_min(0) * wb).sum(1) / wb.sum(1).clamp_min(1e-9)
    to_b = (near.amax(1).clamp_min(0) * wa).sum(1) / wa.sum(1).clamp_min(1e-9)
    same = (ids_b[:, :, None] == ids_a[:, None, :]) & (mask_b[:, :, None] * mask_a[:, None, :] > 0)
    share_b = (same.any(2).float() * wb).sum(1) / wb.sum(1).clamp_min(1e-9)
    share_a = (same.any(1).float() * wa).sum(1) / wa.sum(1).clamp_min(1e-9)
    counted = torch.stack([cosine, to_a, to_b, share_b, share_a], -1)
    return torch.cat([counted, plain], -1)


def beside_features(data, a, b, plain):
    """Of a memory and a message, what can be counted from the pieces alone."""
    ids_a, mask_a = data.get(a)
    ids_b, mask_b = data.get(b)
    va, vb = data.table[ids_a] * mask_a[..., None], data.table[ids_b] * mask_b[..., None]
    cosine = F.cosine_similarity(va.sum(1), vb.sum(1), dim=-1)
    wa, wb = data.norm[ids_a] * mask_a, data.norm[ids_b] * mask_b
    same = (ids_b[:, :, None] == ids_a[:, None, :]) & (mask_b[:, :, None] * mask_a[:, None, :] > 0)
    share_b = (same.any(2).float() * wb).sum(1) / wb.sum(1).clamp_min(1e-9)
    share_a = (same.any(1).float() * wa).sum(1) / wa.sum(1).clamp_min(1e-9)
    return torch.cat([torch.stack([cosine, share_b, share_a], -1), plain], -1)


def plain_features(a, b):
    na, nb = features.numbers(a), features.numbers(b)
    ca, cb = features.names(a), features.names(b)
    return [
        float(bool(na)), float(bool(nb)), float(bool(na and nb)), float(na == nb), float(bool(na & nb)),
        float(bool(ca & cb)), min(len(cb - ca), 3) / 3, min(len(ca - cb), 3) / 3,
    ]


def pretrain(data_folder, keep, table, vocabulary, device, seconds):
    """Lets the encoder read as the teacher does, in fifteen languages, before it learns to judge."""
    import multiprocessing
    texts = open(os.path.join(keep, "texts.txt"), encoding="utf8").read().split("\n")[:-1]
    vectors = torch.tensor(np.load(os.path.join(keep, "vectors.npy")), device=device)
    with multiprocessing.Pool(16, initializer=cut_init, initargs=(vocabulary,)) as pool:
        rows = pool.map(cut_rows, texts, chunksize=2000)
    counts = collections.Counter(r for row in rows for r in set(row))
    wide = [row for row, n in counts.most_common(24_000) if n >= 12]
    known = torch.zeros(len(table), dtype=torch.long)
    for place, row in enumerate(wide, 1):
        known[row] = place
    lens = torch.tensor([min(len(r), 40) for r in rows], device=device)
    ids = torch.zeros(len(rows), 40, dtype=torch.int32)
    for i, r in enumerate(rows):
        ids[i, :min(len(r), 40)] = torch.tensor(r[:40], dtype=torch.int32)
    ids = ids.to(device)
    say(len(rows), "texts to read,", len(wide), "own rows")
    model = Reader(F.normalize(torch.tensor(table), dim=-1).half().to(device), known.to(device)).to(device)
    out = nn.Linear(S, 512).to(device)
    optimiser = torch.optim.AdamW(list(model.parameters()) + list(out.parameters()), lr=2e-3, weight_decay=0.01)
    began, step, batch = time.time(), 0, 2048
    while time.time() - began < seconds:
        done = (time.time() - began) / seconds
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * min(1, step / 200) * (0.5 * (1 + np.cos(np.pi * done)) + 0.02)
        at = torch.randint(len(rows), (batch,), device=device)
        width = int(lens[at].max())
        mask = (torch.arange(width, device=device)[None] < lens[at][:, None]).float()
        v, _ = model.encode(ids[at][:, :width].long(), mask)
        said = F.normalize(out(v), dim=-1)
        real = vectors[at].float()
        cosine = 1 - (said * real).sum(-1).mean()
        eye = torch.eye(batch, device=device, dtype=torch.bool)
        kl = F.kl_div((said @ said.T / 0.1).masked_fill(eye, -1e4).log_softmax(-1), (real @ real.T / 0.1).masked_fill(eye, -1e4).softmax(-1), reduction="batchmean")
        loss = cosine + 0.3 * kl
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
        if step % 500 == 0:
            say("reading", step, f"cos {cosine.item():.3f} kl {kl.item():.3f}")
    return {k: v.detach().clone() for k, v in model.state_dict().items()}, known, set(wide), Rehearsal(ids, lens, vectors, out)


class Rehearsal:
    """What the encoder was taught first, so that it does not forget it while it learns to judge."""

    def __init__(self, ids, lens, vectors, out):
        self.ids, self.lens, self.vectors, self.out = ids, lens, vectors, out

    def loss(self, model, batch=384):
        at = torch.randint(len(self.ids), (batch,), device=self.ids.device)
        width = int(self.lens[at].max())
        mask = (torch.arange(width, device=at.device)[None] < self.lens[at][:, None]).float()
        v, _ = model.encode(self.ids[at][:, :width].long(), mask)
        said = F.normalize(F.linear(v, self.out.weight.detach(), self.out.bias.detach()), dim=-1)
        return 1 - (said * self.vectors[at].float()).sum(-1).mean()


def wide_order(known):
    rows = known.nonzero()[:, 0]
    return rows[known[rows].argsort()].tolist()


CUT = None


def cut_init(vocabulary):
    global CUT
    CUT = pieces.Pieces(vocabulary)


def cut_rows(text):
    return CUT.rows(text)


def lists_asked(asked, data, texts, device):
    """All lists of messages and memories as tensors, with what is counted about each pair."""
    n = len(asked)
    memory, truth, there = torch.zeros(n, STORE, dtype=torch.long), torch.zeros(n, STORE), torch.zeros(n, STORE, dtype=torch.bool)
    needs = torch.zeros(n, len(told.CATEGORIES))
    plain = torch.zeros(n, STORE, 8)
    for i, (ask, known, helps, subjects, _, _) in enumerate(asked):
        k = len(known)
        memory[i, :k], truth[i, :k], there[i, :k] = torch.tensor(known), torch.tensor(helps), True
        for y, subject in zip(helps, subjects):
            if subject >= 0:
                needs[i, subject] = max(needs[i, subject], y)
        plain[i, :k] = torch.tensor([plain_features(texts.text[m], texts.text[ask]) for m in known])
    message = torch.tensor([a[0] for a in asked])
    out = {"message": message, "memory": memory, "truth": truth, "there": there, "needs": needs, "plain": plain}
    out = {k: v.to(device) for k, v in out.items()}
    counted = []
    with torch.no_grad():
        for i in range(0, n, 64):
            m, q, p = out["memory"][i:i + 64].reshape(-1), out["message"][i:i + 64].repeat_interleave(STORE), out["plain"][i:i + 64].reshape(-1, 8)
            counted.append(beside_features(data, m, q, p).reshape(-1, STORE, 11))
    out["counted"] = torch.cat(counted)
    return out


def said_of_lists(model, data, lists, some):
    """The odds that each memory of some lists helps, and what the messages need."""
    memory = lists["memory"][some].reshape(-1)
    u, _ = model.encode(*data.get(lists["message"][some]))
    v, _ = model.encode(*data.get(memory))
    odds, need = model.helps(u.repeat_interleave(STORE, 0), v, lists["counted"][some].reshape(-1, 11))
    return odds.reshape(len(some), STORE), need.reshape(len(some), STORE, -1)[:, 0]


def asked_loss(model, data, lists, some):
    odds, need = said_of_lists(model, data, lists, some)
    truth, there = lists["truth"][some], lists["there"][some]
    weight = there.float() * (1 + 1.5 * truth)
    single = F.binary_cross_entropy_with_logits(odds, truth, reduction="none") * weight
    needs = F.binary_cross_entropy_with_logits(need, lists["needs"][some])
    # Among themselves, those that help come first.
    wanted = truth * (truth >= 1)
    share = odds.masked_fill(~there, -1e4).log_softmax(-1)
    some_help = wanted.sum(-1) > 0
    first = -(share * wanted).sum(-1)[some_help] / wanted.sum(-1)[some_help]
    return 1.5 * single.sum() / weight.sum() + 0.5 * needs + 0.25 * first.mean()


def evaluate_asked(model, data, texts, asked, device):
    model.eval()
    lists = lists_asked(asked, data, texts, device)
    with torch.no_grad():
        odds = torch.cat([said_of_lists(model, data, lists, torch.arange(i, min(i + 64, len(asked)), device=device))[0] for i in range(0, len(asked), 64)])
    chance = odds.sigmoid().masked_fill(~lists["there"], 0).cpu()
    truth, there = lists["truth"].cpu(), lists["there"].cpu()
    needing = (truth >= 1).any(-1)
    for tokens in (100, 150, 200, 250):
        whole = []
        for i in needing.nonzero()[:, 0].tolist():
            left, got = tokens, set()
            for j in chance[i].argsort(descending=True).tolist():
                text = texts.text[asked[i][1][j]] if j < len(asked[i][1]) else None
                if text is None:
                    break
                left -= 3 + sum(1 if ord(c) >= 0x2E80 else .25 for c in text)
                if left < 0:
                    break
                got.add(j)
            whole.append(all(j in got for j in (truth[i] >= 1).nonzero()[:, 0].tolist()))
        say(f"  helps: all that is needed in the best {tokens} tokens: {100 * sum(whole) / len(whole):.1f} % of {len(whole)}")
    for floor in (0.03, 0.05, 0.1, 0.2, 0.3, 0.5):
        said = chance >= floor
        good = (truth >= 1) & there
        small = said[~needing].sum() / max(1, int((~needing).sum()))
        say(f"  helps @{floor}: recall {float((said & good).sum() / good.sum()):.3f} precision {float((said & (truth > 0)).sum() / said.sum().clamp_min(1)):.3f}, {float(said[needing].float().sum(-1).mean()):.1f} lines a question, {float(small):.2f} where none is needed")


def train(data, texts, examples, pairs, asked, table, vocabulary, device, epochs, seed=0, report=True, holdout=None, start=None, start_known=None, wide=None, rehearsal=None):
    torch.manual_seed(seed)
    dice = random.Random(seed)
    holdout = holdout or (lambda language, life: held_out(life))
    train_x = [e for e in examples if not holdout(e.language, e.life)]
    test_x = [e for e in examples if holdout(e.language, e.life) and e.language != "xx" and e.weight == 1.0]
    # Of what is unrelated, the part that looks like a change, and a little of the rest.
    train_p = [p for p in pairs if not holdout(p[3], p[4])]
    test_p = [p for p in pairs if holdout(p[3], p[4])]
    seen = collections.Counter(r for e in train_x for r in set(texts.rows[e.cur]))
    known = torch.zeros(len(table), dtype=torch.long)
    place = 1
    for row, n in seen.items():
        if n >= 4 or (wide is not None and row in wide):
            known[row] = place
            place += 1
    if wide is not None:
        for row in wide:
            if known[row] == 0:
                known[row] = place
                place += 1
    rows = F.normalize(torch.tensor(table), dim=-1).half().to(device)
    model = Reader(rows, known.to(device)).to(device)
    T = lambda values, dtype=torch.long: torch.tensor(values, dtype=dtype, device=device)
    cols = {k: T([getattr(e, k) for e in train_x]) for k in ("cur", "prev", "next", "first", "earlier", "label", "category")}
    marks = T([e.marks for e in train_x], torch.float32)
    weight = T([e.weight for e in train_x], torch.float32)
    flags = T([e.flags or [0.0] * len(FLAGS) for e in train_x], torch.float32)
    flagged = T([e.flags is not None for e in train_x], torch.bool)
    spans = torch.full((len(train_x), MAX), -1.0)
    for i, e in enumerate(train_x):
        if e.span:
            k = min(len(e.span), len(texts.rows[e.cur]), MAX)
            spans[i, :k] = torch.tensor(e.span[:k])
    spans = spans.to(device)
    there = flags[flagged]
    rare = ((1 - there.mean(0)) / there.mean(0).clamp_min(1e-3)).clamp(1, 6)
    counts = torch.bincount(cols["label"], minlength=len(told.LABELS)).float()
    class_weight = (counts.max() / counts.clamp_min(1)).pow(0.4)
    pa, pb, py = T([p[0] for p in train_p]), T([p[1] for p in train_p]), T([p[2] for p in train_p])
    plain = T([plain_features(texts.text[p[0]], texts.text[p[1]]) for p in train_p], torch.float32)
    with torch.no_grad():
        fixed = torch.cat([hand_features(data, pa[i:i + 1024], pb[i:i + 1024], plain[i:i + 1024]) for i in range(0, len(pa), 1024)]) if len(pa) else None
    lists = lists_of(train_p, fixed, dice, T, device)
    train_a = lists_asked([a for a in asked if not holdout(a[4], a[5])], data, texts, device)
    test_a = [a for a in asked if holdout(a[4], a[5])]
    positive = (py > 0).nonzero()[:, 0]
    hard = T([i for i, p in enumerate(train_p) if p[2] == 0 and (p[5] or float(fixed[i, 0]) > 0.25)])
    easy = T([i for i, p in enumerate(train_p) if p[2] == 0])
    say(len(train_x), "sentences", len(train_p), "pairs", len(positive), "positive", len(hard), "hard;", place, "own rows")
    if start is not None:
        state = model.state_dict()
        own = start["own.weight"]
        with torch.no_grad():
            for name, value in start.items():
                if name in state and name not in ("own.weight", "rows", "known") and state[name].shape == value.shape:
                    state[name].copy_(value)
            # Rows of their own go along by piece.
            if start_known is not None:
                both = ((known > 0) & (start_known > 0)).nonzero()[:, 0]
                model.own.weight[known[both].to(device)] = own[start_known[both].to(device)]
    optimiser = torch.optim.AdamW([
        {"params": [p for n, p in model.named_parameters() if n != "own.weight"], "weight_decay": 0.01},
        {"params": [model.own.weight], "weight_decay": 0.05}], lr=2e-3)
    batch = 256
    steps = epochs * (len(train_x) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 5, pct_start=0.1)
    pair_weight = T([1.0, 1.5, 1.0, 1.0, 1.5], torch.float32)
    order = None
    average = Average()
    for step in range(steps):
        model.train()
        if step % (len(train_x) // batch) == 0:
            order = torch.randperm(len(train_x), device=device)
        k = step % (len(train_x) // batch)
        at = order[k * batch:(k + 1) * batch]
        every = torch.cat([cols[c][at] for c in ("cur", "prev", "next", "first", "earlier")])
        v, h = model.encode(*data.get(every))
        cur, *around = v.split(len(at))
        empty = lambda c, a: a * (cols[c][at] > 0).float()[:, None]
        around = [empty(c, a) for c, a in zip(("prev", "next", "first", "earlier"), around)]
        # Sometimes nothing is known of what stands around.
        alone = (torch.rand(len(at), 1, device=device) > 0.1).float()
        around = [a * alone for a in around]
        label, category, flag = model.judge(cur, around, marks[at])
        loss = (F.cross_entropy(label, cols["label"][at], weight=class_weight, reduction="none", label_smoothing=0.03) * weight[at]).mean()
        kept = cols["category"][at] >= 0
        if kept.any():
            loss = loss + 0.8 * F.cross_entropy(category[kept], cols["category"][at][kept], label_smoothing=0.05)
            said = flagged[at]
            loss = loss + 0.7 * F.binary_cross_entropy_with_logits(flag[said], flags[at][said], pos_weight=rare)
        # What does not last belongs in front of no conversation.
        if (~kept).any():
            core = flag[~kept][:, 0]
            loss = loss + 0.15 * F.binary_cross_entropy_with_logits(core, torch.zeros_like(core))
        width = h.shape[1]
        target = spans[at][:, :width]
        marked = target >= 0
        if marked.any():
            token = model.span(h[:len(at)])[..., 0][:, :width]
            loss = loss + 0.5 * F.binary_cross_entropy_with_logits(token[marked], target[marked])
        # Pairs, in lists: which of what is known does a statement end, if any?
        some = torch.cat([lists["yes"][torch.randint(len(lists["yes"]), (18,), device=device)], lists["no"][torch.randint(len(lists["no"]), (10,), device=device)]])
        pick, there, truth = lists["pairs"][some], lists["there"][some], lists["truth"][some]
        flat = pick.reshape(-1)
        ids, mask = data.get(torch.cat([pa[flat], pb[flat]]))
        both, h = model.encode(ids, mask)
        n = len(flat)
        # What two sentences do to each other is learned beside the reading of them and not through it: else the lives are learned by heart.
        both, h = both.detach(), h.detach()
        hand = hand_of(model, both[:n], both[n:], fixed[flat])
        said = model.compare((both[:n], h[:n], mask[:n]), (both[n:], h[n:], mask[n:]), hand)
        weights = there.reshape(-1).float()
        single = F.cross_entropy(said, py[flat], weight=pair_weight, label_smoothing=0.03, reduction="none")
        loss = loss + 0.7 * (single * weights).sum() / weights.sum()
        forgets = lists["forgets"][some][:, None]
        said = said.reshape(*pick.shape, -1)
        score = torch.where(forgets, said[..., 4], said[..., 2:4].logsumexp(-1)) - said[..., 0]
        score = score.masked_fill(~there, -1e4)
        every = torch.cat([torch.zeros_like(score[:, :1]), score], 1).log_softmax(-1)
        none = ~truth.any(1)
        right = torch.where(none, every[:, 0], every[:, 1:].masked_fill(~truth, -1e4).logsumexp(-1))
        loss = loss - 0.7 * right.mean()
        loss = loss + 0.8 * asked_loss(model, data, train_a, torch.randint(len(train_a["message"]), (24,), device=device))
        if rehearsal is not None:
            loss = loss + 1.5 * rehearsal.loss(model)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        schedule.step()
        average.take(model, step - int(0.6 * steps))
    average.give(model)
    if report and test_x:
        evaluate(model, data, texts, test_x, test_p, device)
        evaluate_asked(model, data, texts, test_a, device)
    return model


class Average:
    """The mean of the weights over the last steps."""

    def __init__(self):
        self.kept = {}

    @torch.no_grad()
    def take(self, model, since):
        for name, value in model.state_dict().items():
            if since == 0 and value.dtype == torch.float32:
                self.kept[name] = value.clone()
            elif name in self.kept:
                self.kept[name].lerp_(value, 0.003)

    @torch.no_grad()
    def give(self, model):
        for name, value in model.state_dict().items():
            if name in self.kept:
                value.copy_(self.kept[name])


LIST = 16


def lists_of(pairs, fixed, dice, T, device):
    """By later statement, what it does to each of the earlier ones: those that it changes, the nearest of the others, and some."""
    groups = collections.defaultdict(list)
    by_language = collections.defaultdict(list)
    for i, p in enumerate(pairs):
        groups[(p[4] if not p[4].startswith("pair") else f"{p[4]}-{i}", p[1])].append(i)
        by_language[p[3]].append(i)
    near = fixed[:, 0].cpu().tolist()
    rows, there, truth, forgets, yes, no = [], [], [], [], [], []
    for (life, _), members in groups.items():
        positives = [i for i in members if pairs[i][2] >= 2]
        others = sorted((i for i in members if pairs[i][2] < 2), key=lambda i: -near[i])
        chosen = positives[:6] + others[:8]
        rest = others[8:]
        chosen += dice.sample(rest, min(len(rest), LIST - len(chosen))) if len(chosen) < LIST else []
        chosen = chosen[:LIST]
        row = chosen + [chosen[0]] * (LIST - len(chosen))
        (yes if positives else no).append(len(rows))
        rows.append(row)
        there.append([True] * len(chosen) + [False] * (LIST - len(chosen)))
        truth.append([pairs[i][2] >= 2 for i in chosen] + [False] * (LIST - len(chosen)))
        forgets.append(any(pairs[i][2] == 4 for i in members) or (not positives and False))
    return {"pairs": T(rows), "there": T(there, torch.bool), "truth": T(truth, torch.bool), "forgets": T(forgets, torch.bool), "yes": T(yes), "no": T(no)}


def hand_of(model, u, v, fixed):
    """The counted features and what the heads say of both by themselves."""
    none = torch.zeros(len(u), features.MARKS, device=u.device)
    empty = [torch.zeros_like(u)] * 4
    # Only as features: what they say is not trained through here.
    with torch.no_grad():
        lu, cu, fu = model.judge(u, empty, none)
        lv, cv, fv = model.judge(v, empty, none)
        lu, lv, cu, cv, fu, fv = lu.softmax(-1), lv.softmax(-1), cu.softmax(-1), cv.softmax(-1), fu.sigmoid(), fv.sigmoid()
        more = torch.stack([(cu * cv).sum(-1), fv[:, 3], fv[:, 1], fu[:, 1], fu[:, 4] * fv[:, 4], (fu[:, 4] - fv[:, 4]).abs(), lv[:, 1], lv[:, 4], fv[:, 6], fu[:, 6]], -1)
    return torch.cat([fixed, more], -1)


def outputs(model, data, test_x, device):
    model.eval()
    found = []
    with torch.no_grad():
        for start in range(0, len(test_x), 1024):
            some = test_x[start:start + 1024]
            T = lambda values, dtype=torch.long: torch.tensor(values, dtype=dtype, device=device)
            vs = []
            for c in ("cur", "prev", "next", "first", "earlier"):
                at = T([getattr(e, c) for e in some])
                v, _ = model.encode(*data.get(at))
                vs.append(v if c == "cur" else v * (at > 0).float()[:, None])
            label, category, flag = model.judge(vs[0], vs[1:], T([e.marks for e in some], torch.float32))
            found.append((label.softmax(-1).cpu(), category.softmax(-1).cpu(), flag.sigmoid().cpu()))
    return [torch.cat(part) for part in zip(*found)]


def evaluate(model, data, texts, test_x, test_p, device):
    label, category, flag = outputs(model, data, test_x, device)
    truth = torch.tensor([e.label for e in test_x])
    keep = label[:, 1]
    line = []
    for threshold in (0.3, 0.4, 0.5, 0.6):
        said = keep >= threshold
        right = truth == 1
        line.append(f"@{threshold} P {float((said & right).sum() / said.sum().clamp_min(1)):.3f} R {float((said & right).sum() / right.sum().clamp_min(1)):.3f}")
    say("keep", *line)
    best = label.argmax(-1)
    for i, name in enumerate(told.LABELS):
        right = truth == i
        said = best == i
        say(f"  {name}: {int(right.sum())} P {float((said & right).sum() / said.sum().clamp_min(1)):.3f} R {float((said & right).sum() / right.sum().clamp_min(1)):.3f}")
    kept = truth == 1
    cats = torch.tensor([e.category for e in test_x])
    say("  category", f"{float((category.argmax(-1) == cats)[kept].float().mean()):.3f}")
    truth_flags = torch.tensor([e.flags or [0.0] * len(FLAGS) for e in test_x])[kept]
    said = flag[kept] >= 0.5
    say("  flags", *[f"{name} P {float((said[:, i] & (truth_flags[:, i] > 0)).sum() / said[:, i].sum().clamp_min(1)):.2f} R {float((said[:, i] & (truth_flags[:, i] > 0)).sum() / truth_flags[:, i].sum().clamp_min(1)):.2f} ({int(truth_flags[:, i].sum())})" for i, name in enumerate(FLAGS)])
    if not test_p:
        return
    T = lambda values, dtype=torch.long: torch.tensor(values, dtype=dtype, device=device)
    says = []
    with torch.no_grad():
        for start in range(0, len(test_p), 1024):
            some = test_p[start:start + 1024]
            a, b = T([p[0] for p in some]), T([p[1] for p in some])
            plain = T([plain_features(texts.text[p[0]], texts.text[p[1]]) for p in some], torch.float32)
            (ia, ma), (ib, mb) = data.get(a), data.get(b)
            u, hu = model.encode(ia, ma)
            v, hv = model.encode(ib, mb)
            says.append(model.compare((u, hu, ma), (v, hv, mb), hand_of(model, u, v, hand_features(data, a, b, plain))).softmax(-1).cpu())
    says = torch.cat(says)
    y = torch.tensor([p[2] for p in test_p])
    groups = collections.defaultdict(list)
    for i, p in enumerate(test_p):
        if not p[4].startswith("pair"):
            groups[(p[4], p[1])].append(i)
    odds = (says[:, 2] + says[:, 3]).clamp(1e-6, 1).log() - says[:, 0].clamp(1e-6, 1).log()
    forget_odds = says[:, 4].clamp(1e-6, 1).log() - says[:, 0].clamp(1e-6, 1).log()
    for what, odds, classes in (("over", odds, (2, 3)), ("forgets", forget_odds, (4,))):
        line = []
        for threshold in (0.3, 0.5, 0.7):
            hit = said_n = real_n = 0
            for members in groups.values():
                is_forget = any(test_p[i][2] == 4 for i in members)
                if is_forget != (what == "forgets"):
                    continue
                p = torch.cat([torch.zeros(1), odds[members]]).softmax(0)[1:]
                best = int(p.argmax())
                real_n += sum(test_p[i][2] in classes for i in members)
                if p[best] >= threshold:
                    said_n += 1
                    hit += test_p[members[best]][2] in classes
            line.append(f"@{threshold} P {hit / max(said_n, 1):.3f} R {hit / max(real_n, 1):.3f}")
        say("  best of list,", what, real_n, "of", len(groups), *line)
    for kind, chosen in (("lives", [not p[4].startswith("pair") for p in test_p]), ("pairs", [p[4].startswith("pair") for p in test_p])):
        chosen = torch.tensor(chosen)
        if not chosen.any():
            continue
        over = says[:, 2] + says[:, 3]
        real = (y == 2) | (y == 3)
        line = []
        for threshold in (0.3, 0.5, 0.7):
            said = (over >= threshold) & chosen & (y != 4)
            line.append(f"@{threshold} P {float((said & real).sum() / said.sum().clamp_min(1)):.3f} R {float((said & real).sum() / (real & chosen).sum().clamp_min(1)):.3f}")
        say("  over in", kind, int((real & chosen).sum()), "of", int(chosen.sum()), *line)
        for i in (1, 4):
            real_i = (y == i) & chosen
            said_i = (says[:, i] >= 0.5) & chosen
            say("   ", PAIRS[i], int(real_i.sum()), f"P {float((said_i & real_i).sum() / said_i.sum().clamp_min(1)):.3f} R {float((said_i & real_i).sum() / real_i.sum().clamp_min(1)):.3f}")


TENSORS = ["project", "conv1", "conv2", "conv3", "whole", "around", "hidden", "label", "category", "flags", "span", "ask", "key", "weigh", "pair1", "pair2", "need", "want", "give", "help1", "help2"]


def export(model, out, name="weights"):
    """`RCLJUDG3`; how many pieces have a row of their own; those pieces; a scale each; their rows as signed bytes; then the other tensors, weights and
    biases in the order of TENSORS, as f32 (of a convolution, tap by tap). Little-endian."""
    os.makedirs(out, exist_ok=True)
    state = {k: v.float().cpu().numpy() for k, v in model.state_dict().items() if k not in ("rows", "known")}
    known = model.known.cpu().numpy()
    rows = np.nonzero(known)[0]
    own = state["own.weight"][known[rows]]
    scale = np.abs(own).max(-1).clip(1e-9) / 127
    with open(os.path.join(out, name + ".bin"), "wb") as f:
        f.write(b"RCLJUDG3" + struct.pack("<I", len(rows)))
        f.write(rows.astype("<u4").tobytes())
        f.write(scale.astype("<f4").tobytes())
        f.write(np.round(own / scale[:, None]).astype("i1").tobytes())
        for tensor in TENSORS:
            weight = state[tensor + ".weight"]
            if weight.ndim == 3:
                weight = weight.transpose(2, 0, 1)
            f.write(np.ascontiguousarray(weight).astype("<f4").tobytes())
            f.write(state[tensor + ".bias"].astype("<f4").tobytes())


def read_weights(path, device):
    """What export wrote, to go on from."""
    shapes = {name: tensor.shape for name, tensor in Reader(torch.zeros(2, D).half(), torch.zeros(2, dtype=torch.long)).state_dict().items()}
    data = open(path, "rb").read()
    count = struct.unpack("<I", data[8:12])[0]
    at = 12
    rows = np.frombuffer(data, "<u4", count, at)
    at += 4 * count
    scale = np.frombuffer(data, "<f4", count, at)
    at += 4 * count
    own = np.frombuffer(data, "i1", count * E, at).reshape(count, E) * scale[:, None]
    at += count * E
    state = {"own.weight": np.concatenate([np.zeros((1, E)), own])}
    for name in TENSORS:
        for part in ("weight", "bias"):
            shape = shapes[f"{name}.{part}"]
            size = int(np.prod(shape))
            value = np.frombuffer(data, "<f4", size, at)
            at += 4 * size
            state[f"{name}.{part}"] = value.reshape(shape[2], shape[0], shape[1]).transpose(1, 2, 0) if len(shape) == 3 else value.reshape(shape)
    return {name: torch.tensor(np.ascontiguousarray(value), dtype=torch.float32, device=device) for name, value in state.items()}, [int(row) for row in rows]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--data", required=True)
    a.add_argument("--told", default="eval/told")
    a.add_argument("--out", required=True)
    a.add_argument("--device", default="cuda")
    a.add_argument("--epochs", type=int, default=7)
    a.add_argument("--leave-out", default="")
    a.add_argument("--final", action="store_true")
    a.add_argument("--hold", default="", help="only trains without the lives whose names match this pattern, and exports that: what train_lists.py is fitted with")
    a.add_argument("--keep", default="", help="where teach_vectors.py left the teacher's vectors")
    a.add_argument("--start", default="", help="what an earlier run with --keep left, or weights to go on from (.bin)")
    a.add_argument("--rate", type=float, default=2.5e-3, help="the greatest step; smaller where the training goes on from weights")
    a.add_argument("--table", default="assets/embedding")
    a.add_argument("--seconds", type=float, default=60)
    a = a.parse_args()
    global RATE
    RATE = a.rate
    dice = random.Random(7)
    table, vocabulary = read_table(a.table)
    texts = Texts(pieces.Pieces(vocabulary))
    extra = []
    gate = os.path.join(a.data, "gate-dev.jsonl")
    if os.path.exists(gate):
        for line in open(gate, encoding="utf8"):
            row = json.loads(line)
            if not row["needs_memory"] and int(hashlib.sha1(row["text"].encode()).hexdigest(), 16) % 2 == 0:
                extra.append(row["text"][:500])
    examples, pairs, asked, lives = build(a.told, texts, extra, set(), dice)
    say(len(lives), "lives", len(examples), "examples", len(pairs), "pairs", len(texts.rows), "texts")
    data = Data(texts, table, a.device)
    more = {}
    if a.keep:
        start, start_known, wide, rehearsal = pretrain(a.data, a.keep, table, vocabulary, a.device, a.seconds)
        start = {k: v for k, v in start.items() if k not in ("rows", "known")}
        os.makedirs(a.out, exist_ok=True)
        torch.save({"weights": {k: v.cpu() for k, v in start.items()}, "wide": [int(r) for r in wide_order(start_known)]}, os.path.join(a.out, "start.pt"))
        more = {"start": start, "start_known": start_known, "wide": wide, "rehearsal": rehearsal}
    elif a.start.endswith(".bin"):
        start, rows = read_weights(a.start, a.device)
        start_known = torch.zeros(len(table), dtype=torch.long)
        for place, row in enumerate(rows, 1):
            start_known[row] = place
        more = {"start": start, "start_known": start_known, "wide": set(rows)}
    elif a.start:
        saved = torch.load(a.start, map_location=a.device)
        start_known = torch.zeros(len(table), dtype=torch.long)
        for place, row in enumerate(saved["wide"], 1):
            start_known[row] = place
        more = {"start": {k: v.to(a.device) for k, v in saved["weights"].items()}, "start_known": start_known, "wide": set(saved["wide"])}
    if a.hold:
        hold = re.compile(a.hold)
        say("== without", a.hold)
        export(train(data, texts, examples, pairs, asked, table, vocabulary, a.device, a.epochs, holdout=lambda language, life: bool(hold.search(life)), **more), a.out)
        return
    if not a.final:
        say("== a tenth of the lives held out")
        train(data, texts, examples, pairs, asked, table, vocabulary, a.device, a.epochs, **more)
        for languages in filter(None, a.leave_out.split(",")):
            say("== without", languages)
            group = set(languages.split("+"))
            train(data, texts, examples, pairs, asked, table, vocabulary, a.device, a.epochs, holdout=lambda language, life: language in group, **more)
    say("== all of it")
    model = train(data, texts, examples, pairs, asked, table, vocabulary, a.device, a.epochs, report=False, holdout=lambda language, life: False, **more)
    export(model, a.out)
    say("exported")


if __name__ == "__main__":
    main()
