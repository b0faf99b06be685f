"""The texts that the built-in embedding model is distilled on.

Everything comes from freely licensed Debian packages (pinned by version and SHA-256) and from sentences
made here from word lists. Nothing is taken from the sets that the project measures itself on.

An entry is a list of sentences that belong together: a dictionary entry, a paragraph, a few lines of a novel.
"""

import collections
import glob
import gzip
import hashlib
import html
import os
import random
import re
import subprocess
import zlib

# name, version, SHA-256 of the package file, licence of the text
PACKAGES = [
    ("wordnet-base", "1:3.0-37", "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752", "WordNet"),
    ("dict-gcide", "0.48.5+nmu2", "7b0af5cfde3cbdef5e9d6e78f92ec335ced7c2790f37a40f49bebc6f7347ac0f", "GPL-3+"),
    ("dict-foldoc", "20230119-1", "745cbedb55c2da609cc88ee0284e9d11a67a11ae3709daf7bad0e895ac3294c3", "GFDL-1.1+"),
    ("dict-jargon", "4.4.7-3.1", "405f8168d7994ed2cb71407bb95493daec2e9aa66fc0461dafa74a9d6728a8c1", "public domain"),
    ("dict-devil", "1.0-13.1", "6a535684def2a1f70cd42da16d12d43f0e9dc3e54e4a329178eebab3170e3154", "public domain"),
    ("fortunes", "1:1.99.1-7.3", "41d0551dc0ff52f875a2ecef7c39da2f672ab468c37e170119f7e0245a9d63c5", "BSD"),
    ("anarchism", "15.3-3", "cf21c10948b00e923c62eb31c39a3390413fa26c5ee0e3b925feb0ec7fe42948", "GPL-2+ / GFDL"),
    ("debian-handbook", "11.20220922", "3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa",
     "CC-BY-SA-3.0 / GPL-2+"),
    ("gnome-user-docs", "43.0-2", "0d635a840747958ca84da778b40d341f1155603851f922c9a171f5a181d6a39f", "CC-BY-SA-3.0"),
    ("r-cran-janeaustenr", "1.0.0-1", "df6bddf211906d1ff404f8ff662c21b34e6660e7f54a311084e749050c019c95",
     "public domain"),
    ("crawl-common", "2:0.28.0-1.1", "50c8f0091ba88538dde6585e5eddba02677bfe94d3ee4dc90a5bd3a788650f59", "GPL-2+"),
    ("miscfiles", "1.5+dfsg-4", "b29fdc907760ded52adbc1b4322da22b94108cd124caf0b23da8c23cc3578a28", "GPL-2+ / PD"),
]

MAX_SENTENCE_CHARS = 300
MAX_ENTRY_SENTENCES = 12
# The big dictionary is cut to this many sentences, so that it does not outweigh everything else.
MAX_GCIDE_SENTENCES = 150_000


def fetch_packages(folder):
    """Downloads, checks and unpacks the packages; returns the folder with the unpacked trees."""
    os.makedirs(folder, exist_ok=True)
    for name, version, digest, _ in PACKAGES:
        found = glob.glob(os.path.join(folder, f"{name}_*.deb"))
        if not found:
            subprocess.run(["apt-get", "download", "-qq", f"{name}={version}"], cwd=folder, check=True)
            found = glob.glob(os.path.join(folder, f"{name}_*.deb"))
        with open(found[0], "rb") as file:
            actual = hashlib.sha256(file.read()).hexdigest()
        if actual != digest:
            raise SystemExit(f"{found[0]}: SHA-256 is {actual}, expected {digest}")
        tree = os.path.join(folder, "unpacked", name)
        if not os.path.isdir(tree):
            os.makedirs(tree)
            subprocess.run(["dpkg-deb", "-x", found[0], tree], check=True)
    return os.path.join(folder, "unpacked")


def entries(root):
    """All entries as {source: [[sentence, …], …]}, without repeated sentences."""
    collected = collections.defaultdict(list)
    seen = set()

    def add(source, sentences):
        kept = []
        for sentence in filter(None, map(_clean, sentences)):
            if sentence.lower() not in seen:
                seen.add(sentence.lower())
                kept.append(sentence)
        for start in range(0, len(kept), MAX_ENTRY_SENTENCES):
            collected[source].append(kept[start:start + MAX_ENTRY_SENTENCES])

    collected["wordnet"] = list(_wordnet(os.path.join(root, "wordnet-base")))
    for name in ("gcide", "foldoc", "jargon", "devil"):
        for entry in _dictd(os.path.join(root, f"dict-{name}/usr/share/dictd/{name}.dict.dz"), name):
            add(name, entry)
    for path in sorted(glob.glob(os.path.join(root, "fortunes/usr/share/games/fortunes/*"))):
        if "." not in os.path.basename(path) and "ascii" not in path:
            for quote in re.split(r"\n%\n", _read(path)):
                add("fortunes", _sentences(quote))
    for source, pattern in (("anarchism", "anarchism/usr/share/doc/anarchism/html/*.html"),
                            ("handbook", "debian-handbook/usr/share/doc/debian-handbook/html/en-US/*.html"),
                            ("gnome", "gnome-user-docs/usr/share/help/C/**/*.page")):
        for path in sorted(glob.glob(os.path.join(root, pattern), recursive=True)):
            for paragraph in re.split(r"\n\s*\n", _without_markup(_read(path))):
                add(source, _sentences(paragraph))
    add("austen", _sentences(_austen(os.path.join(root, "r-cran-janeaustenr"))))
    for path in sorted(glob.glob(os.path.join(root, "crawl-common/**/*.txt"), recursive=True)):
        for paragraph in re.split(r"\n\s*\n|%%%%", _read(path)):
            add("crawl", _sentences(paragraph))

    shuffled = collected["gcide"]
    random.Random(0).shuffle(shuffled)
    count = 0
    for end, entry in enumerate(shuffled):
        count += len(entry)
        if count >= MAX_GCIDE_SENTENCES:
            collected["gcide"] = shuffled[:end]
            break
    return dict(collected)


def first_names(root):
    """Given names, for the sentences made here."""
    path = os.path.join(root, "miscfiles/usr/share/dict/propernames.gz")
    with gzip.open(path, "rt") as file:
        return [line.strip().capitalize() for line in file if line.strip()]


def _read(path):
    with open(path, encoding="utf8", errors="replace") as file:
        return file.read()


def _sentences(text):
    return re.split(r"(?<=[.!?])\s+(?=[A-Z\"'(])", re.sub(r"\s+", " ", text).strip())


def _clean(sentence):
    """The sentence, cut to the bound, or None if it is too short or mostly marks."""
    sentence = sentence.strip().replace("\t", " ")
    if len(sentence) > MAX_SENTENCE_CHARS:
        sentence = sentence[:MAX_SENTENCE_CHARS].rsplit(" ", 1)[0]
    letters = sum(character.isalpha() or character == " " for character in sentence)
    return sentence if len(sentence) >= 12 and letters >= 0.8 * len(sentence) and sentence.count(" ") >= 2 else None


def _wordnet(root):
    """Entries of the form [terms, gloss, example, …]."""
    for part in ("noun", "verb", "adj", "adv"):
        with open(os.path.join(root, f"usr/share/wordnet/data.{part}"), encoding="latin1") as file:
            for line in file:
                if line.startswith("  ") or " | " not in line:
                    continue
                head, gloss = line.split(" | ", 1)
                fields = head.split()
                terms = [fields[4 + 2 * i].replace("_", " ").split("(")[0] for i in range(int(fields[3], 16))]
                examples = [text for text in re.findall(r'"([^"]+)"', gloss) if text.count(" ") >= 2]
                meaning = re.sub(r'"[^"]*"', "", gloss).strip(" ;\n")
                yield [", ".join(terms[:3]), meaning[:MAX_SENTENCE_CHARS], *examples[:3]]


def _dictd(path, name):
    with gzip.open(path) as file:
        text = file.read().decode("utf8", "replace")
    text = re.sub(r"\[[^\]]{0,40}\]|\{|\}|\\", "", text)
    for entry in re.split(r"\n(?=\S)", text):
        parts = re.split(r"\n\s*\n|(?<=\n)\s+\d+\. ", entry)
        sentences = [sentence for part in parts for sentence in _sentences(part)]
        if name == "gcide":  # pronunciations, word classes and etymologies are no sentences
            marks = r"\*|\bv\. [ti]\.|\b(Obs|imp|p\. p)\.|^\S+ \S+ \(|\"[a-z]|\bcf\.|\bOE\."
            sentences = [sentence for sentence in sentences if not re.search(marks, sentence) and len(sentence) > 20]
        yield sentences


def _without_markup(text):
    text = re.sub(r"(?is)<(script|style|pre|head|screen).*?</\1>", " ", text)
    text = re.sub(r"(?i)</?(p|li|h\d|dt|dd|td|div|title|br)[^>]*>", "\n\n", text)
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def _austen(root):
    """The novels' lines, read out of the R package's compressed blocks."""
    with open(os.path.join(root, "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb"), "rb") as file:
        data = file.read()
    lines, position = [], 0
    while position < len(data) - 5:
        block = zlib.decompressobj()
        try:
            content = block.decompress(data[position + 4:])
        except zlib.error:
            break
        found = re.findall(rb"\x00\x04?\x00?\t\x00\x00\x00.([\x20-\x7e]{2,100})", content)
        lines += [line.decode("latin1") for line in found]
        position = len(data) - len(block.unused_data)
    return "\n".join(lines)


# --- sentences made here: the way people talk about themselves, and the questions asked later

_PEOPLE = ("my sister|my brother|my mom|my dad|my friend|my boss|my wife|my husband|my partner|my daughter|my son|"
           "my colleague|my neighbor|my cousin|my grandma|my roommate|the team|our manager|a client|my teacher|"
           "my doctor").split("|")
_TIMES = ("yesterday|last week|last weekend|last month|two days ago|this morning|tomorrow|next week|next month|"
          "on Monday|on Friday|in March|in July 2023|last summer|a few years ago|recently|every day|tonight|"
          "last night|").split("|")
_DID = dict(pair.split("/") for pair in (
    "bought/buy lost/lose found/find made/make painted/paint wrote/write read/read watched/watch visited/visit "
    "joined/join started/start finished/finish fixed/fix cooked/cook planned/plan cancelled/cancel sold/sell "
    "adopted/adopt won/win attended/attend built/build organized/organize tried/try picked/pick ordered/order "
    "booked/book donated/donate played/play recorded/record broke/break returned/return met/meet ran/run").split())
_OPENINGS = ("Hey|Wow|Yeah|Thanks|That sounds great|Cool|Oh no|I totally agree|Sorry to hear that|That is amazing|"
             "Good to see you|So happy for you|No way|Sure|Hmm").split("|")
_FEELINGS = ("so happy|really nervous|excited|tired|proud|stressed|grateful|relieved|sad|inspired|lucky|worried|"
             "calm|motivated").split("|")
_SINCE = "2019|last year|college|I was a kid|2015".split("|")
_DUE = "Friday|March 15|next Tuesday|the end of the month|10 AM".split("|")
_VERDICTS = "great|terrible|beautiful|too expensive|worth it|boring".split("|")


def said_and_asked(count, names, nouns, words, seed=0):
    """Pairs of something said and a question that it answers."""
    dice = random.Random(seed)
    pick = dice.choice
    pairs = []
    for _ in range(count):
        name, thing, other, word = pick(names), pick(nouns), pick(nouns), pick(words)
        person, when, did = pick(_PEOPLE), pick(_TIMES), pick(list(_DID))
        do = _DID[did]
        said, asked = pick((
            (f"{pick(_OPENINGS)}, {name}! {person.capitalize()} {did} a {thing} {when}.", f"What did {person} {do}?"),
            (f"I {did} the {thing} with {person} {when}, it was for {other}.", f"Who did I {do} the {thing} with?"),
            (f"My favorite {thing} is {word}, I love how it goes with {other}.", f"What is my favorite {thing}?"),
            (f"I'm {pick(_FEELINGS)} about the {thing} {other}. {name} {did} it {when}.",
             f"How do I feel about the {thing} {other}?"),
            (f"{name}: {pick(_OPENINGS)}! I've been into {thing} and {other} since {pick(_SINCE)}.",
             f"What hobbies does {name} have, {thing}?"),
            (f"We decided to use {word} for the {thing} {other} because it is cheaper.",
             f"Which option did we pick for the {thing} {other}?"),
            (f"{person.capitalize()} works as a {thing} in {word} and has {dice.randrange(2, 9)} {other}s.",
             f"What does {person} do for work?"),
            (f"I need to finish the {thing} {other} by {pick(_DUE)}.", f"When is the deadline for the {thing} {other}?"),
            (f"{name} and I {did} {thing} {when}. The {other} was {pick(_VERDICTS)}.", f"When did {name} {do} the {thing}?"),
            (f"I don't like {thing} anymore, so please suggest {other} or {word} instead.",
             f"What should you suggest instead of {thing}?"),
        ))
        pairs.append((said.replace(" .", "."), asked))
    return pairs


def every_word(names, nouns, words, pieces, seed=0):
    """Short texts in which each word of the vocabulary occurs, so that no row of the table stays untouched."""
    dice = random.Random(seed)
    pick = dice.choice
    texts = []
    for word in words:
        texts += [word, f"{word} {pick(words)}", f"the {word} of the {pick(nouns)}",
                  f"{pick(names)} likes {word} and {pick(words)}", f"What is {word}?", f"my {pick(nouns)} is {word}"]
    for name in names:
        texts += [name, f"{name} and {pick(names)}", f"{name}'s {pick(nouns)}", f"When did {name} go to the {pick(nouns)}?"]
    for piece in pieces:
        texts.append(pick(words)[:dice.randrange(2, 5)] + piece)
    return texts
