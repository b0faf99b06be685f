r"""Fits what both looks at an earlier statement are worth together: is it over by the later one?

    python weigh_looks.py read --lives='-[xy][a-h]\d' --out rows.npz        what the judges say of lives that none of them was taught
    python weigh_looks.py fit --rows rows.npz --out assets/judges/lists.tsv

The quick network, the listener and the lists each promise more than they keep for strangers. A last logistic regression over what each of them says of the likeliest statements
(and what can be counted beside it) is fitted to lives that none of them has read, and says what the chances are worth. Figures are of lives left out by turns.

Beside all that is known of a person each statement is held against one to three of the same statements, as if the person were new: what is fitted to long lists alone
finds half of what is over in short ones. Of the short lists with a change less than half are kept, so that changes are no more frequent in them than in life.
"""

import argparse
import datetime
import multiprocessing
import os
import random
import re
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import judge_lists as lists
import reckon_judges
import told
import train_lists

# As `told.rs` keeps what is told.
LASTING, CHANGING, CHANGES = 0.2, 0.12, 0.4
ELSEWHERE, BEFORE_LETTERS = 0.6, 90


def heard(judges, message, before):
    pieces = sum(len(judges.encode(t)["ids"]) + 1 for t in message)
    whole = pieces < 118 and all(len(judges.encode(t)["ids"]) for t in message)
    return judges.heard(message, before) if whole else judges.read(message, before)


def kept_of(s, flags, before):
    clause = s.clause or s.text
    if flags[5] >= ELSEWHERE and before and len(before) <= BEFORE_LETTERS and sum(c.isalpha() for c in before) >= 12 and not before.endswith(("?", "？", "؟")):
        joined = before + ("" if before.endswith((".", "!", "。", "！", "।", "…", ":", ",")) else ".") + " " + clause
        return joined if len(joined) <= 230 else clause
    return clause


def groups_of(judges, life):
    """By later statement: the rows of the likeliest earlier ones, and which of them are over."""
    dice = random.Random(life.name)
    days = [datetime.date.fromisoformat(date[:10]).toordinal() for date in life.dates]
    known, gone = [], set()
    for n, conversation in enumerate(life.conversations):
        before = None
        for m, message in enumerate(conversation):
            texts = [s.text for s in message]
            here = []
            for place, (s, (sorts, subjects, flags)) in enumerate(zip(message, heard(judges, texts, before))):
                lasting, changes = float(sorts[1]) if len(judges.encode(s.text)["ids"]) else 0.0, float(flags[3])
                gone |= set(s.forgets)
                known = [one for one in known if not (train_lists.numbers_of(one[0]) and train_lists.numbers_of(one[0]) <= gone)]
                ended = set(train_lists.over_by(s))
                kept = kept_of(s, flags, texts[place - 1] if place else None)
                if known and lasting >= (CHANGING if changes >= CHANGES else LASTING):
                    earlier = [(o.text, k, l, then == n, days[n] - days[then]) for o, k, l, then in known]
                    found = rows_of(judges, s.text, kept, changes, lasting, earlier)
                    over = [bool(train_lists.numbers_of(one[0]) & ended) for one in known]
                    if found is not None:
                        order, rows = found
                        yield rows, np.array([over[i] for i in order]), bool(ended), (s.text, [earlier[i][0] for i in order])
                    for some in short_lists(over, bool(ended), dice):
                        found = rows_of(judges, s.text, kept, changes, lasting, [earlier[i] for i in some])
                        if found is not None:
                            order, rows = found
                            yield rows, np.array([over[some[i]] for i in order]), bool(ended), (s.text, [earlier[some[i]][0] for i in order])
                gone |= ended
                if lasting >= LASTING:
                    here.append((s, kept, lasting, n))
            # Nobody takes back in the same breath what they tell.
            known += here
            before = texts[0]


def short_lists(over, changes, dice):
    """Places of one to three of the statements, as a new user would have told them: with what is over among them, and without."""
    others = [i for i, one in enumerate(over) if not one]
    if any(over) and dice.random() < 0.45:
        last = max(i for i, one in enumerate(over) if one)
        yield sorted([last] + dice.sample(others, min(len(others), dice.randint(0, 2))))
    if others and dice.random() < (0.5 if changes else 0.3):
        yield sorted(dice.sample(others, min(len(others), dice.randint(1, 3))))


def rows_of(judges, later, kept_later, changes, lasting, earlier):
    plain = [(text, *rest) for text, _, *rest in earlier]
    pairs = lists.of_pairs(judges, later, changes, lasting, plain)
    first = lists.chance(judges.lists["pair"], pairs)
    if not (first >= lists.WORTH_A_LOOK).any():
        return None
    order = np.argsort(-first, kind="stable")[:lists.SECOND_LOOKS]
    y = judges.heads(judges.encode(later)["v"])
    said = [judges.listened(earlier[i][0], later) for i in order]
    of_kept = [judges.listened(earlier[i][1], kept_later) for i in order]
    rows = [
        lists.of_second_look(v, y, judges.heads(judges.encode(earlier[i][0])["v"]), changes, lasting, earlier[i][2], (later, earlier[i][0]), earlier[i][3], earlier[i][4], len(earlier))
        for v, i in zip(said, order)]
    second = lists.chance(judges.lists["second"], lists.beside(rows, lists.SECOND, lists.SECOND_FOUND))
    return order, lists.of_both_looks(first[order], second, said, of_kept, pairs[order])


def read_some(part):
    folder, names = part
    judges = reckon_judges.Judges()
    wanted = {life.name: life for life in told.lives(folder, []) if life.name in names}
    found = []
    for name in names:
        found.append((name, list(groups_of(judges, wanted[name]))))
        judges.read_before.clear()
        print(name, flush=True)
    return found


def read(a):
    names = [life.name for life in told.lives(a.told, []) if re.search(a.lives, life.name)]
    with multiprocessing.Pool(a.processes) as pool:
        found = [one for part in pool.imap_unordered(read_some, [(a.told, names[n::16]) for n in range(16)]) for one in part]
    rows, truth, group, life, ends, texts = [], [], [], [], [], []
    for name, groups in found:
        for one in groups:
            rows.append(one[0])
            truth.append(one[1])
            group += [len(ends)] * len(one[0])
            life += [name] * len(one[0])
            ends.append(one[2])
            texts += [(one[3][0], t) for t in one[3][1]]
    np.savez(a.out, rows=np.concatenate(rows), truth=np.concatenate(truth), group=np.array(group), life=np.array(life), ends=np.array(ends), texts=np.array(texts))


def as_shipped(rows):
    """What the program made of both looks before these weights."""
    at = {name: i for i, name in enumerate(lists.LOOKS)}
    first, second = rows[:, at["first"]], rows[:, at["second"]]
    both = np.clip(second, -11.5, 11.5) * 0.85 + first * 0.15
    weighed = np.maximum(both, np.where(first >= 0, first, -99))
    said = (rows[:, at["over_sentences"]] + rows[:, at["over_kept"]]) / 2
    return 1 / (1 + np.exp(-(0.35 * weighed + 0.35 * said - 0.37)))


def figures(what, chances, truth, group, ends):
    best = {}
    for i, g in enumerate(group):
        if g not in best or chances[i] > best[g][0]:
            best[g] = (chances[i], truth[i])
    real = int(ends.sum())
    line = []
    for floor in (0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7):
        said = [right for chance, right in best.values() if chance >= floor]
        line.append(f"@{floor} P {100 * np.mean(said) if said else 0:.1f} R {100 * sum(said) / real:.1f}")
    print(f"{what} ({real} changes of {len(best)}):", *line, flush=True)


def fit(a):
    data = [np.load(path) for path in a.rows]
    rows, truth, life, texts = (np.concatenate([d[name] for d in data]) for name in ("rows", "truth", "life", "texts"))
    offsets = np.cumsum([0] + [len(d["ends"]) for d in data])
    group = np.concatenate([d["group"] + o for d, o in zip(data, offsets)])
    ends = np.concatenate([d["ends"] for d in data])
    print(rows.shape, int(truth.sum()))
    figures("as shipped", as_shipped(rows), truth, group, ends)
    for strength in (10.0, 30.0, 100.0):
        chances = train_lists.crossed(rows, truth.astype(float), list(life), strength)
        figures(f"weighed, pulled by {strength}", chances, truth, group, ends)
    if a.out:
        weights, bias = train_lists.fit(rows, truth.astype(float), strength=a.strength)
        kept = [line for line in open(a.out, encoding="utf8") if not line.startswith("looks\t")]
        with open(a.out, "w", encoding="utf8") as f:
            f.writelines(kept)
            for name, value in list(zip(lists.LOOKS, weights)) + [("bias", bias)]:
                f.write(f"looks\t{name}\t{value:.6g}\n")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("what", choices=["read", "fit"])
    a.add_argument("--told", default="eval/told")
    a.add_argument("--lives", default=r"-[xy][a-h]\d")
    a.add_argument("--rows", nargs="+", default=[])
    a.add_argument("--out", default="")
    a.add_argument("--strength", type=float, default=10.0)
    a.add_argument("--processes", type=int, default=os.cpu_count())
    a = a.parse_args()
    globals()[a.what](a)


if __name__ == "__main__":
    main()
