"""What is counted when the judges' chances are weighed within a list: the same numbers that `crates/models/src/judge/lists.rs` counts, in its order."""

import numpy as np

import judge_features as features

FOUND = ("replaces", "cosine", "link_first", "exact_first")
PAIR = (
    ["replaces", "ends", "same", "cosine", "shared_later", "shared_earlier"] + [f"plain_{i}" for i in range(8)]
    + ["link_first", "link_second", "link_three", "exact_first", "exact_second", "subject", "subject_same", "later_changes", "changes_in_message", "earlier_changes"]
    + ["later_past", "earlier_past", "later_other", "earlier_other", "later_dated", "earlier_dated", "later_lasting", "lasting_in_message", "earlier_lasting", "later_length", "earlier_length"]
    + [f"earlier_subject_{i}" for i in range(14)] + [f"later_subject_{i}" for i in range(14)] + ["same_conversation", "days", "count"]
    + [f"{name}_{what}" for name in FOUND for what in ("margin", "rank")])
# A pair that the listener has looked at too: the logarithms of its chances against that of nothing, and what stands around.
# What is known alone is compared with what has nothing to do with it.
UNRELATED = -5.0
SECOND_FOUND = ("over", "same")
SECOND = (
    ["over", "replaces", "ends", "same", "forgets", "subject", "subject_same", "changes_in_message", "earlier_changes", "later_past", "earlier_past", "later_other", "earlier_other", "later_dated", "earlier_dated"]
    + ["lasting_in_message", "earlier_lasting", "later_length", "earlier_length"] + [f"earlier_subject_{i}" for i in range(14)] + [f"later_subject_{i}" for i in range(14)] + ["same_conversation", "days", "count"]
    + [f"{name}_{what}" for name in SECOND_FOUND for what in ("margin", "rank")])
HELPFUL = ("helps", "cosine", "shared_message", "need")
HELP = (
    ["helps", "cosine", "shared_message", "shared_memory"] + [f"plain_{i}" for i in range(8)]
    + ["need", "core", "lasting", "newer", "length", "most_needed"] + [f"subject_{i}" for i in range(14)] + ["count"]
    + [f"{name}_{what}" for name in HELPFUL for what in ("margin", "rank")])
CALL = (
    ["first", "second", "fourth", "sum"] + [f"sort_{i}" for i in range(6)] + [f"subject_{i}" for i in range(14)] + [f"flag_{i}" for i in range(7)] + [f"need_{i}" for i in range(14)]
    + ["length", "count", "question", "colon", "quote", "digit"])

HEADS = [f"sort_{i}" for i in range(6)] + [f"subject_{i}" for i in range(14)] + [f"flag_{i}" for i in range(7)]
PLAIN = ["length", "question", "digit"]
# A text by itself: whether it belongs in front of every conversation.
CORE = [f"{what}{name}" for what in ("", "odds_") for name in HEADS] + PLAIN

# Texts of a list that make a difference: about as many as the lists of the fitting have on the mean. Lives in writing are shorter than lives.
FEW, MOST = 12, 16

# Days behind which it makes no difference how long ago something was said.
DAYS = 60


LISTS = (("core", CORE), ("pair", PAIR), ("help", HELP), ("call", CALL))

# Of a list the statements that the listener looks at, from which chance on, and what the others can count for at most.
SECOND_LOOKS, WORTH_A_LOOK, NOT_LOOKED_AT = 6, 0.004, 0.1

# What both looks say of a pair: fitted to lives that none of the judges was taught (`weigh_looks.py`).
COUNTED_BESIDE = (
    ["cosine", "shared_later", "shared_earlier"] + [f"plain_{i}" for i in range(8)]
    + ["link_first", "exact_first", "subject", "later_changes", "changes_in_message", "earlier_changes", "later_past", "later_dated", "earlier_dated", "lasting_in_message", "earlier_lasting", "later_length", "earlier_length"]
    + ["same_conversation", "days", "count"])
LOOKS_FOUND = ("over_sentences", "over_kept")
LOOKS = (
    ["first", "second", "over_sentences", "over_kept", "over_most", "same_sentences", "same_kept", "ends_more"] + COUNTED_BESIDE
    + [f"{name}_margin" for name in LOOKS_FOUND])

# Fitted by themselves (`train_listener.py weigh`, `weigh_looks.py`), behind the others in the same file.
SECOND_LIST = (("second", SECOND), ("looks", LOOKS))


def of_both_looks(first, second, said, of_kept, pairs):
    """The rows of LOOKS: chances of the quick look and of the second one, what the listener says of the sentences and of what is kept of them, and the rows of PAIR."""
    over = lambda v: np.logaddexp(v[2], v[3]) - v[0]
    rows = []
    for p, q, v, k, pair in zip(first, second, said, of_kept, pairs):
        a, b = over(v), over(k)
        rows.append([odds(p), odds(q), a, b, max(a, b), v[1] - v[0], k[1] - k[0], v[3] - v[2]] + [pair[PAIR.index(name)] for name in COUNTED_BESIDE])
    rows, more = np.array(rows, float), []
    for name in LOOKS_FOUND:
        values = rows[:, LOOKS.index(name)]
        best = np.sort(values)[::-1]
        second_best = best[1] if len(best) > 1 else UNRELATED
        more.append(np.where(values >= best[0], values - second_best, values - best[0]))
    return np.concatenate([rows, np.array(more).T], 1)


def length(text):
    return min(len(text), 400) / 100


def odds(chance):
    return float(np.log(max(chance, 1e-5)) - np.log(max(1 - chance, 1e-5)))


def links(earlier, later):
    """How alike the likest words are, by how much both mean; and how much the words mean that both have."""
    if not len(earlier["ids"]) or not len(later["ids"]):
        return [0.0] * 5
    near = (earlier["rows"] / earlier["lengths"][:, None]) @ (later["rows"] / later["lengths"][:, None]).T
    near = (near * np.minimum(earlier["lengths"][:, None], later["lengths"][None])).max(1)
    near = np.sort(near)[::-1]
    both = set(later["ids"])
    exact = sorted((n for i, n in zip(earlier["ids"], earlier["lengths"]) if i in both), reverse=True) + [0.0, 0.0]
    return [near[0], near[1] if len(near) > 1 else 0.0, near[:3].sum(), exact[0], exact[1]]


def plain(text):
    return [length(text), float(any(c in text for c in "?？؟")), float(any(c.isnumeric() for c in text))]


def flat(heads):
    return [float(chance) for head in heads for chance in head]


def all_odds(chances):
    chances = np.clip(np.array(chances, float), 1e-4, 1 - 1e-4)
    return list(np.log(chances / (1 - chances)))


def of_text(alone, text):
    """The row of CORE: what the heads say of a text by itself."""
    chances = flat(alone)
    return np.array(chances + all_odds(chances) + plain(text), float)


def of_pairs(judges, later, changes, lasting, earlier):
    """Rows of PAIR: what a later statement (with what its message says of it) does to each of the earlier ones, each a text, how surely it lasts, whether it was said
    in the same conversation, and how many days before."""
    y = judges.encode(later)
    lv, cv, fv = judges.heads(y["v"])
    rows = []
    for text, kept, together, days in earlier:
        x = judges.encode(text)
        _, cu, fu = judges.heads(x["v"])
        said = np.log(np.maximum(judges.compare(text, later), 1e-6))
        one, two, three, exact, more = links(x, y)
        rows.append(
            [said[2] - said[0], said[3] - said[0], said[1] - said[0], judges.cosine(x, y), judges.shared(y, x), judges.shared(x, y)] + judges.plain(text, later)
            + [one, two, three, exact, more, float((cu * cv).sum()), float(cu.argmax() == cv.argmax()), fv[3], changes, fu[3], fv[1], fu[1], fv[4], fu[4], fv[6], fu[6], lv[1], lasting, kept, length(later), length(text)]
            + list(cu) + list(cv) + [float(together), min(days, DAYS) / DAYS])
    return in_list(rows, PAIR, FOUND, FEW)


def of_second_look(said, later, earlier, changes, lasting, kept, texts, together, days, count):
    """The row of SECOND but for what stands beside it in the list: `said` as the listener says it, the heads of both, what their messages say of them."""
    (_, cv, fv), (_, cu, fu) = later, earlier
    over = np.logaddexp(said[2], said[3])
    return (
        [over - said[0], said[2] - said[0], said[3] - said[0], said[1] - said[0], said[4] - said[0], float((cu * cv).sum()), float(cu.argmax() == cv.argmax()), changes, fu[3]]
        + [fv[1], fu[1], fv[4], fu[4], fv[6], fu[6], lasting, kept, length(texts[0]), length(texts[1])] + list(cu) + list(cv) + [float(together), min(days, DAYS) / DAYS, min(count, FEW) / 10])


def beside(rows, names, ranked):
    """By some columns, how far each row of a list is ahead or behind and how many are before it."""
    rows, more = np.array(rows, float), []
    for name in ranked:
        values = rows[:, names.index(name)]
        best = np.sort(values)[::-1]
        second = best[1] if len(best) > 1 else UNRELATED
        more += [np.where(values >= best[0], values - second, values - best[0]), np.minimum((values[None] > values[:, None]).sum(1), 10)]
    return np.concatenate([rows, np.array(more).T], 1)


def in_list(rows, names, ranked, many):
    """The rows with what stands beside them: how many there are, and by some columns how far each is ahead or behind and how many are before it."""
    rows = np.array(rows, float).reshape(len(rows), len(names) - 1 - 2 * len(ranked))
    more = [np.full(len(rows), min(len(rows), many) / 10)]
    for name in ranked:
        values = rows[:, names.index(name)]
        best = np.sort(values)[::-1]
        second = best[1] if len(best) > 1 else 0.0
        more.append(np.where(values >= best[0], values - second, values - best[0]) if len(best) else values)
        more.append(np.minimum((values[None] > values[:, None]).sum(1), 10))
    return np.concatenate([rows, np.array(more).T], 1)


def of_memories(judges, message, memories):
    """Rows of HELP: each memory a text, how surely it lasts, and how many are newer."""
    y = judges.encode(message)
    need = judges.needs(y)
    rows = []
    for text, kept, newer in memories:
        x = judges.encode(text)
        _, subjects, flags = judges.heads(x["v"])
        rows.append(
            [odds(judges.weigh(message, text)[0]), judges.cosine(x, y), judges.shared(y, x), judges.shared(x, y)] + judges.plain(text, message)
            + [float((need * subjects).sum()), flags[0], kept, min(newer, MOST) / 10, length(text), float(need.max())] + list(subjects))
    return in_list(rows, HELP, HELPFUL, MOST)


def message_heads(judges, message):
    """What the heads say of a message, and what can be counted about it."""
    y = judges.encode(message)
    is_in = lambda marks: float(any(mark in message for mark in marks))
    more = [length(message), is_in("?？؟"), is_in(":："), is_in("\"“”„«»「」『』"), float(any(c.isnumeric() for c in message))]
    return flat(judges.heads(y["v"])) + [float(need) for need in judges.needs(y)], more


def of_message(message, helps):
    """The row of CALL: what is said of a message, and the chances of what is known to help with it."""
    best = np.log(np.maximum(np.sort(np.array(helps))[::-1], 1e-4)) if len(helps) else np.log(np.array([1e-4]))
    at = lambda place: best[min(place, len(best) - 1)]
    heads, more = message
    return np.array([at(0), at(1), at(3), np.log(max(float(np.sum(helps)), 1e-4))] + heads + more[:1] + [min(len(helps), MOST) / 10] + more[1:], float)


def read(path):
    """By list, its weights in the order of its names, and the bias."""
    found = {}
    for line in open(path, encoding="utf8"):
        if line.strip() and not line.startswith("#"):
            which, name, value = line.rstrip("\n").split("\t")
            found.setdefault(which, {})[name] = float(value)
    return {which: (np.array([found[which][name] for name in names]), found[which]["bias"]) for which, names in LISTS + SECOND_LIST if which in found}


def chance(weights, rows):
    return 1 / (1 + np.exp(-(rows @ weights[0] + weights[1])))
