"""What the listener is made of, and the file that it is kept in: a small transformer that hears a message whole, and lays a statement beside what was told before.

What goes into it is made from the pieces of the built-in table; `crates/models/src/judge/listener.rs` does the same arithmetic.
"""

import os
import struct
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge_features as features
import told
import train_judges as tj

W, HEADS, UP, LAYERS, ROWS, OWN, Z = 384, 12, 1536, 6, 256, 64, 256
POSITIONS = 176
# Of two statements: what `judge_features` and the table count.
COUNTED = 13
CLS, SEP, FIRST = 1, 2, 3
MAGIC = b"RCLLSTN1"
MATRICES = ["q", "k", "v", "o", "up", "down"]
FLAGS, PAIRS = tj.FLAGS, tj.PAIRS
say = tj.say



def small(matrix):
    """Signed bytes and a scale by row."""
    scale = np.abs(matrix).max(-1).clip(1e-9) / 127
    return np.round(matrix / scale[:, None]).astype("i1"), scale.astype("<f4")


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(W, W) for _ in range(4))
        self.up, self.down = nn.Linear(W, UP), nn.Linear(UP, W)
        self.first, self.second = nn.LayerNorm(W, eps=1e-12), nn.LayerNorm(W, eps=1e-12)

    def forward(self, x, mask, drop):
        b, t, _ = x.shape
        heads = lambda y: y.view(b, t, HEADS, W // HEADS).transpose(1, 2)
        y = looked(heads(self.q(x)), heads(self.k(x)), heads(self.v(x)), mask)
        y = self.o(y.transpose(1, 2).reshape(b, t, W))
        x = self.first(x + dropped(y, drop, self.training))
        y = self.down(F.gelu(self.up(x)))
        return self.second(x + dropped(y, drop, self.training))


def looked(q, k, v, mask):
    """Attention. On a CPU step by step, whose backward pass takes a tenth of the fused one's for sequences as short as these."""
    if q.is_cuda:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    seen = (q @ k.transpose(-1, -2)).float() * (q.shape[-1] ** -0.5)
    return seen.masked_fill(~mask, -1e9).softmax(-1).to(v.dtype) @ v


CHANCES = {}


def dropped(y, drop, training):
    """Dropout. On a CPU from chances that were thrown once, at another place each time: to throw them anew takes a tenth of a step."""
    if y.is_cuda or not training:
        return F.dropout(y, drop, training)
    if drop not in CHANCES:
        CHANCES[drop] = (torch.rand(1 << 25) >= drop).to(torch.bfloat16) / (1 - drop)
    many, kept = y.numel(), CHANCES[drop]
    at = int(torch.randint(len(kept) - many, ())) if many < len(kept) else 0
    mask = kept[at:at + many] if many < len(kept) else kept.repeat(-(-many // len(kept)))[:many]
    return y * mask.view_as(y)

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
        with torch.autocast(x.device.type, enabled=False):
            x = torch.where(is_piece, self.enter(torch.cat([x, own], -1)), which(ids.clamp_max(2), 3, self.special))
            x = self.norm(x + self.positions[:ids.shape[1]] + which(types, 2, self.types))
        drop = 0.1
        x = dropped(x, drop, self.training)
        with torch.autocast(x.device.type, torch.bfloat16, enabled=x.is_cuda or self.training):
            for layer in self.layers:
                x = layer(x, mask[:, None, None], drop)
        return x.float()

    def sentence(self, ids):
        """As the teacher reads: the mean of all."""
        x = self.encode(ids, torch.zeros_like(ids)) * (ids > 0)[..., None]
        return F.normalize(x.sum(1), dim=-1)

    def hear(self, ids, types, seg, most, rows, marks):
        """seg: by token the number of its sentence in its window, or -1; most: the places for sentences that each window has; rows: by sentence its place among all of
        them; marks by sentence."""
        return self.of_sentences(self.encode(ids, types), seg, most, rows, marks)

    def of_sentences(self, x, seg, most, rows, marks):
        """The same of what the layers made of them."""
        within = seg[:, None, :] == torch.arange(most, device=x.device)[None, :, None]
        count = within.sum(-1, keepdim=True).clamp_min(1)
        mean = within.float() @ x / count
        top = x[:, None].masked_fill(~within[..., None], -1e4).amax(2)
        top = torch.where(within.any(-1, keepdim=True), top, torch.zeros_like(top))
        begun = x[:, :1].expand(-1, most, -1)
        z = torch.cat([mean, top, begun], -1).flatten(0, 1)[rows]
        z = torch.cat([z, marks], -1)
        z = F.gelu(self.hidden(F.dropout(z, 0.15, self.training)))
        z = F.dropout(z, 0.15, self.training)
        return self.label(z), self.category(z), self.flags(z), self.span(x)[..., 0]

    def pair(self, ids, types, counted):
        return self.of_pair(self.encode(ids, types), ids, types, counted)

    def of_pair(self, x, ids, types, counted):
        """The same of what the layers made of both."""
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
