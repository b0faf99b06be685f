r"""Fits what weighs the judges' chances: which text belongs in front of every conversation, which earlier statement is over, which memory helps with a message, and whether the message calls for memory.

    python train_lists.py --weights '[a-z]-(?:[m-z]|v[ef])\d*[02468]$=EVEN/weights.bin' '[a-z]-(?:[m-z]|v[ef])\d*[13579]$=ODD/weights.bin' --out assets/judges/lists.tsv

The network knows its own lives by heart, so its chances mean less for everybody else's. Four logistic regressions over those chances and what can be
counted about the texts are fitted to lives that a network like it was not trained on (`train_judges.py --hold`), and say what the chances are worth.
The figures are of lives left out by turns.
"""

import argparse
import collections
import datetime
import multiprocessing
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge_lists as lists
import reckon_judges
import told

# From which chance on a sentence is kept, and from which on it is looked at for what it changes.
LASTING, LOOKED_AT = 0.3, 0.12
FOLDS = 5


def fit(rows, truth, weight=None, strength=30.0):
    """Newton's way to the weights, pulled towards nothing by `strength`; the scale of each column is taken out and put back."""
    mean, scale = rows.mean(0), rows.std(0)
    used = scale > 1e-6
    x = np.concatenate([(rows[:, used] - mean[used]) / scale[used], np.ones((len(rows), 1))], 1)
    pull = np.full(x.shape[1], strength)
    pull[-1] = 0
    w = np.zeros(x.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-(x @ w)))
        slope = x.T @ (p - truth) + pull * w
        curve = (x * (p * (1 - p))[:, None]).T @ x + np.diag(pull + 1e-6)
        step = np.linalg.solve(curve, slope)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    out = np.zeros(rows.shape[1])
    out[used] = w[:-1] / scale[used]
    return out, float(w[-1] - (out * mean).sum())


def crossed(rows, truth, lives, strength):
    """Chances by lives that were left out."""
    names = sorted(set(lives))
    fold = np.array([names.index(life) % FOLDS for life in lives])
    chances = np.zeros(len(rows))
    for k in range(FOLDS):
        chances[fold == k] = lists.chance(fit(rows[fold != k], truth[fold != k], strength=strength), rows[fold == k])
    return chances


def over_by(sentence):
    return [n for fact in [sentence] + sentence.more for relation, n in fact.relations if relation in "rec"] if sentence.label == "keep" else []


def numbers_of(sentence):
    return {fact.number for fact in [sentence] + sentence.more} if sentence.label == "keep" else set()


def play(judges, life):
    """The sentences of a life with the place of their conversation and their readings, in order."""
    for n, conversation in enumerate(life.conversations):
        before = None
        for message in conversation:
            texts = [s.text for s in message]
            for s, reading in zip(message, judges.read(texts, before)):
                yield s, n, reading
            before = texts[0]


def texts_of(judges, life):
    """What lasts, whole and without what stands around it: its numbers, and whether it belongs in front of every conversation."""
    for s in life.sentences():
        if s.label == "keep":
            core = any("core" in fact.flags for fact in [s] + s.more)
            for text, is_core in {(s.text, core), (s.clause or s.text, "core" in s.flags)}:
                yield lists.of_text(judges.heads(judges.encode(text)["v"]), text), is_core


def days_of(life):
    """The days of its conversations, counted."""
    return [datetime.date.fromisoformat(date[:10]).toordinal() for date in life.dates]


def pairs_of(judges, life):
    """By later statement, the rows of its list and which are over."""
    known, gone, days = [], set(), days_of(life)
    for s, n, (sorts, _, flags) in play(judges, life):
        lasting = sorts[1]
        gone |= set(s.forgets)
        known = [one for one in known if not (numbers_of(one[0]) and numbers_of(one[0]) <= gone)]
        ended = set(over_by(s))
        if known and lasting >= LOOKED_AT:
            rows = lists.of_pairs(judges, s.text, flags[3], lasting, [(o.text, kept, then == n, days[n] - days[then]) for o, kept, then in known])
            yield rows, np.array([bool(numbers_of(one[0]) & ended) for one in known])
        gone |= ended
        if lasting >= LASTING:
            known.append((s, lasting, n))


def asked_of(judges, life):
    """By message, the rows of what is known and which of it the message needs."""
    read = [(s, sorts[1]) for s, _, (sorts, _, _) in play(judges, life)]
    gone = {n for s, _ in read for n in over_by(s) + s.forgets}
    known = [(s, lasting) for s, lasting in read if lasting >= LASTING and not (numbers_of(s) and numbers_of(s) <= gone)]
    memories = [(s.text, kept, len(known) - 1 - i) for i, (s, kept) in enumerate(known)]
    if not memories:
        return
    for ask, needs, _ in life.questions + [(small, [], []) for small in life.small]:
        yield ask, bool(needs), lists.of_memories(judges, ask, memories), np.array([bool(numbers_of(s) & set(needs)) for s, _ in known]), [m[0] for m in memories], lists.message_heads(judges, ask)


def read_by(part):
    """What one reader makes of some lives: by life its texts, its lists of statements and its lists of messages."""
    path, lives = part
    judges = reckon_judges.Judges(weights=path)
    found = []
    for life in lives:
        found.append((life.name, list(texts_of(judges, life)), list(pairs_of(judges, life)), list(asked_of(judges, life))))
        judges.read_before.clear()
    return found


def figures_of_chances(what, chances, truth):
    at = [f"@{floor} P {100 * truth[chances >= floor].mean():.1f} R {100 * truth[chances >= floor].sum() / truth.sum():.1f}" for floor in (0.2, 0.3, 0.4, 0.5, 0.6)]
    print(" ", what, *at, flush=True)


def tokens(text):
    return 8 + sum(1 if ord(c) >= 0x2E80 else .25 for c in text)


def figures_of_pairs(chances, groups):
    real = sum(truth.any() for _, truth in groups)
    at = 0
    best = []
    for rows, truth in groups:
        some = chances[at:at + len(rows)]
        at += len(rows)
        best.append((some.max(), bool(truth[some.argmax()])))
    for floor in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        said = [right for chance, right in best if chance >= floor]
        print(f"  over @{floor}: precision {np.mean(said) if said else 0:.3f} recall {sum(said) / max(real, 1):.3f} of {real} ({len(said)} said of {len(best)})", flush=True)


def figures_of_help(chances, groups):
    at, whole = 0, collections.defaultdict(list)
    for _, _, rows, truth, texts, _ in groups:
        some = chances[at:at + len(rows)]
        at += len(rows)
        for budget in (100, 150, 200, 250) if truth.any() else ():
            left, got = budget, set()
            for i in np.argsort(-some):
                left -= tokens(texts[i])
                if left < 0:
                    break
                got.add(i)
            whole[budget].append(set(np.nonzero(truth)[0]) <= got)
    print("  all that is needed in the best tokens:", {budget: round(100 * float(np.mean(v)), 1) for budget, v in whole.items()}, flush=True)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--weights", required=True, nargs="+", help="PATTERN=WEIGHTS: of the lives whose names match, what a network says that was trained without them")
    a.add_argument("--told", default="eval/told")
    a.add_argument("--out", required=True)
    a.add_argument("--processes", type=int, default=os.cpu_count())
    a.add_argument("--at-most", type=int, default=0, help="lives, for a quick look")
    a = a.parse_args()
    readers = [one.split("=", 1) for one in a.weights]
    weights_of = lambda life: next((path for pattern, path in readers if re.search(pattern, life.name)), None)
    lives = [life for life in told.lives(a.told, []) if weights_of(life)]
    lives = sorted(lives, key=lambda life: life.name[::-1])[:a.at_most or None]
    by_reader = [(path, [life for life in lives if weights_of(life) == path][n::8]) for _, path in readers for n in range(8)]
    with multiprocessing.Pool(a.processes) as pool:
        read = [one for part in pool.map(read_by, by_reader) for one in part]
    rows = np.array([row for _, texts, _, _ in read for row, _ in texts])
    truth = np.array([is_core for _, texts, _, _ in read for _, is_core in texts], float)
    print("texts", rows.shape, int(truth.sum()))
    figures_of_chances("in front of every conversation, the network alone", rows[:, 20], truth)
    figures_of_chances("weighed", crossed(rows, truth, [name for name, texts, _, _ in read for _ in texts], 30.0), truth)
    out = {"core": fit(rows, truth)}
    pairs = [group for _, _, of_pairs, _ in read for group in of_pairs]
    pair_lives = [name for name, _, of_pairs, _ in read for group in of_pairs for _ in group[0]]
    asked = [group for _, _, _, of_messages in read for group in of_messages]
    asked_lives = [name for name, _, _, of_messages in read for group in of_messages for _ in group[2]]
    rows, truth = np.concatenate([g[0] for g in pairs]), np.concatenate([g[1] for g in pairs]).astype(float)
    print("pairs", rows.shape, int(truth.sum()))
    figures_of_pairs(1 / (1 + np.exp(-rows[:, 0])), pairs)
    print(" weighed:")
    figures_of_pairs(crossed(rows, truth, pair_lives, 30.0), pairs)
    out["pair"] = fit(rows, truth)
    rows, truth = np.concatenate([g[2] for g in asked]), np.concatenate([g[3] for g in asked]).astype(float)
    print("messages", len(asked), rows.shape, int(truth.sum()))
    figures_of_help(rows[:, 0], asked)
    chances = crossed(rows, truth, asked_lives, 50.0)
    print(" weighed:")
    figures_of_help(chances, asked)
    out["help"] = fit(rows, truth, strength=50.0)
    at, calls = 0, []
    for _, _, rows, _, _, message in asked:
        calls.append(lists.of_message(message, chances[at:at + len(rows)]))
        at += len(rows)
    needed = np.array([g[1] for g in asked], float)
    ends = np.cumsum([len(g[2]) for g in asked]) - 1
    chances = crossed(np.array(calls), needed, [asked_lives[e] for e in ends], 30.0)
    for floor in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        print(f"  calls @{floor}: {100 * np.mean(chances[needed > 0] >= floor):.1f} % of those that need something, {100 * np.mean(chances[needed == 0] >= floor):.1f} % of those that do not")
    out["call"] = fit(np.array(calls), needed)
    # What `train_listener.py weigh` and `weigh_looks.py` fitted stays.
    second = [line for line in open(a.out, encoding="utf8") if line.startswith(("second\t", "looks\t"))] if os.path.exists(a.out) else []
    with open(a.out, "w", encoding="utf8") as f:
        f.write("# How the judges' chances are weighed within a list; made by train_lists.py\n")
        for which, names in lists.LISTS:
            for name, value in list(zip(names, out[which][0])) + [("bias", out[which][1])]:
                f.write(f"{which}\t{name}\t{value:.6g}\n")
        f.writelines(second)


if __name__ == "__main__":
    main()
