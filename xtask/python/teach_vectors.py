"""What the teacher makes of everyday sentences in fifteen languages, for `train_judges.py --keep`.

    python teach_vectors.py --data FOLDER --out FOLDER
"""

import argparse
import lzma
import multiprocessing
import os
import random

import numpy as np

import grow_table


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--data", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--device", default="cuda")
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    texts = set()
    for line in lzma.open(os.path.join(a.data, "pairs.tsv.xz"), "rt", encoding="utf8"):
        texts.update(part for part in line.rstrip("\n").split("\t")[1:] if 3 <= len(part) < 200)
    for line in lzma.open(os.path.join(a.data, "prompts.tsv.xz"), "rt", encoding="utf8"):
        language, _, text = line.rstrip("\n").partition("\t")
        if language != "hi":
            texts.add(text[:200])
    texts = sorted(texts)
    random.Random(0).shuffle(texts)
    grow_table.say(len(texts), "texts")
    with multiprocessing.Pool(16, initializer=grow_table.sp_init, initargs=(a.data,)) as pool:
        ids = pool.map(grow_table.sp_encode, texts, chunksize=2000)
    vectors = grow_table.Teacher(a.data, a.device).embed(ids).half().cpu().numpy()
    np.save(os.path.join(a.out, "vectors.npy"), vectors)
    with open(os.path.join(a.out, "texts.txt"), "w", encoding="utf8") as f:
        f.write("".join(text.replace("\n", " ") + "\n" for text in texts))
    grow_table.say("done")


if __name__ == "__main__":
    main()
