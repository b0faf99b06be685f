"""Reads the labelled conversations under `eval/told` (their form: `eval/told/README.md`)."""

import glob
import os
import re

CATEGORIES = ["identity", "home", "work", "people", "health", "diet", "money", "schedule", "project", "tool", "preference", "instruction", "event", "feeling"]
LABELS = ["none", "keep", "quoted", "supposed", "forget", "crisis"]
OF_MARK = {"*": "none", "+": "keep", "&": "keep", "q": "quoted", "h": "supposed", "f": "forget", "x": "crisis"}


class Sentence:
    def __init__(self, text, label):
        self.text, self.label = text, label
        self.category = self.who = self.clause = None
        self.number = None
        self.flags, self.relations = set(), []
        self.more = []  # further facts of the same sentence
        self.forgets = []
        self.message = None

    def __repr__(self):
        return f"<{self.label} {self.number} {self.category} {self.relations} {self.text[:40]!r}>"


def head(text, problems, where):
    """`+3 work me core r2` and the like."""
    words = text.split()
    mark = words[0]
    m = re.match(r"^([+&*qhxf])\s*(\d*(?:,\d+)*)$", mark)
    if not m:
        problems.append(f"{where}: mark {mark!r}")
        return None
    fact = {"mark": m[1], "numbers": [int(n) for n in m[2].split(",") if n], "category": None, "who": None, "flags": set(), "relations": []}
    rest = words[1:]
    if m[1] in "+&" and rest:
        if rest[0].isdigit():
            fact["numbers"] = [int(rest[0])]
            rest = rest[1:]
        if rest and rest[0] in CATEGORIES:
            fact["category"] = rest[0]
            rest = rest[1:]
        else:
            problems.append(f"{where}: category {rest[:1]}")
        for word in rest:
            m = re.match(r"^([rescd])(\d+(?:,\d+)*)$", word)
            if m:
                fact["relations"] += [(m[1], int(n)) for n in m[2].split(",")]
            elif word in ("core", "past", "keep"):
                fact["flags"].add(word)
            elif word.startswith(("until=", "on=")):
                fact["flags"].add(word.split("=")[0])
            elif fact["who"] is None:
                fact["who"] = word
            else:
                fact["who"] += " " + word
    elif m[1] == "f":
        fact["numbers"] += [int(n) for word in rest for n in re.findall(r"\d+", word)]
    return fact


def sentence_of(line, problems, where):
    if "|" not in line:
        # The plain marks stand without a bar in lives.
        m = re.match(r"^([*qhx])\s+(.*)$", line)
        if m:
            return Sentence(m[2].strip(), OF_MARK[m[1]])
        problems.append(f"{where}: {line[:40]!r}")
        return None
    m = re.match(r"^([*qhx])\s+(?!\|)(.*)$", line)
    if m:
        return Sentence(m[2].strip(), OF_MARK[m[1]])
    before, text = line.split("|", 1)
    fact = head(before.strip(), problems, where)
    if fact is None:
        return None
    text, _, clause = text.partition("||")
    text, clause = text.strip(), clause.strip()
    s = Sentence(text, OF_MARK[fact["mark"]])
    if fact["mark"] in "+&":
        s.number = fact["numbers"][0] if fact["numbers"] else None
        s.category, s.who, s.flags, s.relations = fact["category"] or "event", fact["who"] or "me", fact["flags"], fact["relations"]
        s.clause = clause if clause and clause in text else text
        if clause and clause not in text:
            problems.append(f"{where}: clause not in sentence: {clause[:40]!r}")
        s.second = fact["mark"] == "&"
    elif fact["mark"] == "f":
        s.forgets = fact["numbers"]
    return s


class Life:
    def __init__(self, name, language):
        self.name, self.language = name, language
        self.conversations = []  # of messages, which are lists of sentences
        self.dates, self.replies = [], []
        self.questions, self.small = [], []

    def sentences(self):
        return [s for c in self.conversations for m in c for s in m]


def add(message, s):
    """A second fact of the sentence before, or a sentence of its own."""
    if s.label == "keep" and getattr(s, "second", False):
        for before in reversed(message):
            if before.label == "keep" and s.text in before.text:
                before.more.append(s)
                return
    message.append(s)


def lives(folder, problems):
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.lives.txt"))):
        language = os.path.basename(path).split("-")[0]
        life = None
        for n, line in enumerate(open(path, encoding="utf8"), 1):
            line = line.rstrip()
            where = f"{os.path.basename(path)}:{n}"
            if not line:
                continue
            if line.startswith("= "):
                life = Life(line[2:].split("|")[0].strip(), language)
                found.append(life)
                message = None
            elif life is None:
                problems.append(f"{where}: before any life")
            elif line.startswith("@"):
                life.conversations.append([])
                life.dates.append(line[1:].strip())
                message = None
            elif line.startswith("<"):
                message = None
            elif line.startswith("?"):
                ask, _, needs = line[1:].partition("|")
                needs, _, also = needs.partition("also")
                life.questions.append((ask.strip(), [int(x) for x in re.findall(r"\d+", needs)], [int(x) for x in re.findall(r"\d+", also)]))
            elif line.startswith("~"):
                life.small.append(line[1:].strip())
            else:
                s = sentence_of(line, problems, where)
                if s is None or not s.text or not life.conversations:
                    continue
                if message is None:
                    message = []
                    life.conversations[-1].append(message)
                add(message, s)
    return found


def texts(folder, problems):
    """(language, messages)"""
    for path in sorted(glob.glob(os.path.join(folder, "*.texts.txt"))):
        language = os.path.basename(path).split("-")[0]
        message = []
        for n, line in enumerate(open(path, encoding="utf8"), 1):
            line = line.rstrip()
            if line.strip() == "--":
                if message:
                    yield language, message
                message = []
            elif line:
                s = sentence_of(line, problems, f"{os.path.basename(path)}:{n}")
                if s and s.text:
                    add(message, s)
        if message:
            yield language, message


def lines(folder, problems):
    for path in sorted(glob.glob(os.path.join(folder, "*.lines.txt"))):
        language = os.path.basename(path).split("-")[0]
        for n, line in enumerate(open(path, encoding="utf8"), 1):
            if line.strip():
                s = sentence_of(line.rstrip(), problems, f"{os.path.basename(path)}:{n}")
                if s and s.text:
                    yield language, s


def pairs(folder, problems):
    for path in sorted(glob.glob(os.path.join(folder, "*.pairs.txt"))):
        language = os.path.basename(path).split("-")[0]
        for n, line in enumerate(open(path, encoding="utf8"), 1):
            parts = [p.strip() for p in line.split("|")]
            if len(parts) != 3 or not parts[1] or not parts[2] or not parts[0]:
                if line.strip():
                    problems.append(f"{os.path.basename(path)}:{n}: {line[:50]!r}")
                continue
            mark = parts[0].split()[0]
            if mark not in "recsdbu":
                problems.append(f"{os.path.basename(path)}:{n}: mark {mark!r}")
                continue
            category = (parts[0].split() + [""])[1]
            yield language, mark, parts[1], parts[2], category if category in CATEGORIES else "event"


if __name__ == "__main__":
    import collections
    import sys
    problems = []
    folder = sys.argv[1] if len(sys.argv) > 1 else "eval/told"
    ls = lives(folder, problems)
    by = collections.Counter(l.language for l in ls)
    print("lives", sum(by.values()), dict(by))
    print("labels", collections.Counter(s.label for l in ls for s in l.sentences()))
    print("relations", collections.Counter(r[0] for l in ls for s in l.sentences() for f in [s] + s.more for r in f.relations))
    print("lines", collections.Counter(s.label for _, s in lines(folder, problems)))
    print("texts", sum(1 for _ in texts(folder, problems)))
    print("pairs", collections.Counter(m for _, m, *_ in pairs(folder, problems)))
    print("questions", sum(len(l.questions) for l in ls))
    print(len(problems), "problems")
    for p in problems[:25]:
        print("  ", p)
