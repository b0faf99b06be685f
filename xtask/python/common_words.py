"""Counts which words everybody uses, for the topics of digests (`crates/memory/src/learn/heuristic/topics/`).

    python3 xtask/python/common_words.py FOLDER

FOLDER holds everyday sentences: `parallel/en-XX.tsv.gz` (English, tab, the other language) and `prompts/XX.txt.gz`, see
`assets/embedding/card.md` for where they come from. With `eval/told` they are counted by sentences, and the commonest words of each
language are written to `common_words.txt`, the commonest first. Chinese has no spaces: its words are found by how firmly their characters hold together
and how freely what stands beside them changes, and go to `chinese_words.txt`. Of Japanese the runs of kanji and of katakana are counted. Only words are written, never what was said with them.
"""

import collections
import glob
import gzip
import math
import re
import sys
import unicodedata

LANGUAGES = "en es pt fr de it nl pl ru tr ar hi ko ja".split()
WORDS = 1400
CHINESE_WORDS = 6000
TO = "crates/memory/src/learn/heuristic/topics"


def told(language):
    for path in glob.glob(f"eval/told/{language}-*.l*.txt"):
        for line in open(path, encoding="utf-8"):
            if line[0] not in "=@<#":
                yield line.split(" | ", 1)[-1].split("||")[0].strip()


def sentences(folder, language):
    if language == "en":
        for other in ("de", "es", "ru"):
            for line in gzip.open(f"{folder}/parallel/en-{other}.tsv.gz", "rt", encoding="utf-8"):
                yield line.split("\t")[0]
    else:
        for line in gzip.open(f"{folder}/parallel/en-{language}.tsv.gz", "rt", encoding="utf-8"):
            yield line.rstrip("\n").split("\t")[1]
    yield from gzip.open(f"{folder}/prompts/{language}.txt.gz", "rt", encoding="utf-8")
    yield from told(language)


def words(text, language=None):
    if language == "ja":
        # What is written in kanji or katakana carries the meaning; hiragana between them holds it together.
        return re.findall(r"[\u4e00-\u9fff々]{2,}|[\u30a1-\u30faー]{2,}", text)
    word, found = "", []
    for character in text.lower().replace("’", "'") + " ":
        if unicodedata.category(character)[0] in "LM" or character == "'" and word:
            word += character
        elif word:
            found.append(word.rstrip("'"))
            word = ""
    return found


def common(folder, language):
    counts = collections.Counter()
    for sentence in sentences(folder, language):
        counts.update(set(words(sentence, language)))
    # Names are capitals in the middle of a sentence, and no common words however often a corpus repeats them.
    names = collections.Counter()
    if language not in "ar hi ko ja de".split():
        seen = collections.Counter()
        for sentence in sentences(folder, language):
            for word in re.findall(r"(?<=[^\W\d_,;] )[^\W\d_]+", sentence):
                seen[word.lower()] += 1
                names[word.lower()] += word[0].isupper()
        names = {word for word in names if names[word] * 2 > seen[word] and word not in ("i", "i'm", "i've")}
    return [word for word, _ in counts.most_common(2 * WORDS) if word not in names][:WORDS]


def chinese(folder):
    runs = []
    for sentence in sentences(folder, "zh"):
        runs += re.findall(r"[\u4e00-\u9fff]+", sentence)
    grams, left, right = collections.Counter(), collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for run in runs:
        padded = "^" + run + "$"
        for size in (1, 2, 3, 4):
            for at in range(1, len(padded) - size):
                gram = padded[at : at + size]
                grams[gram] += 1
                if size > 1:
                    left[gram][padded[at - 1]] += 1
                    right[gram][padded[at + size]] += 1
    total = sum(count for gram, count in grams.items() if len(gram) == 1)

    def entropy(counter):
        whole = sum(counter.values())
        return -sum(count / whole * math.log(count / whole) for count in counter.values())

    found = {}
    for gram, count in grams.items():
        if len(gram) < 2 or count < 4:
            continue
        parts = [grams[gram[:cut]] * grams[gram[cut:]] for cut in range(1, len(gram))]
        cohesion = math.log(count * total / max(parts))
        freedom = min(entropy(left[gram]), entropy(right[gram]))
        if cohesion > 3.0 and freedom > 0.9:
            found[gram] = count
    return [gram for gram, _ in sorted(found.items(), key=lambda one: (-one[1], one[0]))][:CHINESE_WORDS]


def main(folder):
    with open(f"{TO}/common_words.txt", "w", encoding="utf-8") as out:
        for language in LANGUAGES:
            out.write(f"{language} {' '.join(common(folder, language))}\n")
    with open(f"{TO}/chinese_words.txt", "w", encoding="utf-8") as out:
        out.write(" ".join(chinese(folder)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
