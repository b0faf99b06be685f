"""What the judges see of a text besides its pieces: the same numbers that `crates/models/src/judge` counts."""

import re

OPENING = "\"'“”„«»‘‚「『《‹*>"


def sentence_marks(text, before, after, place, count):
    """Numbers about a sentence and where it stands in its message."""
    t = text.strip()
    b = before.strip() if before else ""
    last = t[-1:] or " "
    letters = [c for c in t if c.isalpha()]
    quotes = sum(t.count(c) for c in "\"“”„«»「」『』")
    header = t.split(":", 1)[0] if ":" in t[:30] else ""
    digits = sum(c.isdigit() for c in t)
    return [
        1.0 if last in "?？؟" else 0.0,
        1.0 if any(c in t for c in "?？؟") else 0.0,
        1.0 if last in ":：" else 0.0,
        1.0 if b[-1:] and b[-1:] in ":：" else 0.0,
        1.0 if t[:1] and t[:1] in OPENING else 0.0,
        1.0 if quotes else 0.0,
        1.0 if quotes % 2 else 0.0,
        1.0 if t[:1] in "-•*>#|" and t[:1] else 0.0,
        1.0 if header and len(header.split()) <= 3 else 0.0,
        1.0 if digits else 0.0,
        min(len(t), 400) / 200.0,
        1.0 if place == 0 else 0.0,
        1.0 if place == count - 1 else 0.0,
        min(count, 12) / 6.0,
        min(place, 12) / 6.0,
        1.0 if letters and letters[0].islower() else 0.0,
        1.0 if "!" in t or "！" in t else 0.0,
        1.0 if any(c in t for c in "{}<>=;\\_`") else 0.0,
        1.0 if after is None else 0.0,
        1.0 if before is None else 0.0,
    ]


MARKS = 20

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def numbers(text):
    return set(NUMBER.findall(text))


def names(text):
    """Words with a capital letter that do not begin the text."""
    found = set()
    for m in re.finditer(r"[^\W\d_]+", text):
        word = m.group(0)
        if word[0].isupper() and m.start() > 0 and len(word) > 1:
            found.add(word.lower())
    return found
