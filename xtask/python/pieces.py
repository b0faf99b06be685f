"""How the built-in embedding cuts text into pieces: the same cut that `crates/models/src/wordpiece.rs` makes, for training.

A test in that crate holds both to one table of sentences.
"""

import unicodedata

MAX_WORD = 100


def is_han(c):
    return 0x4E00 <= c <= 0x9FFF or 0x3400 <= c <= 0x4DBF or 0x20000 <= c <= 0x2CEAF or 0xF900 <= c <= 0xFAFF or 0x2F800 <= c <= 0x2FA1F


def is_kana(c):
    return 0x3041 <= c <= 0x30FF and c not in (0x30FB,)


def keeps_marks(c):
    """Scripts in which a mark is part of the letter and is not taken off: Indic scripts, Hangul and its like, kana."""
    return 0x0900 <= c <= 0x1CFF or is_kana(c) or 0xAC00 <= c <= 0xD7AF


def is_punctuation(character):
    c = ord(character)
    if 33 <= c <= 47 or 58 <= c <= 64 or 91 <= c <= 96 or 123 <= c <= 126:
        return True
    return unicodedata.category(character).startswith("P")


def words(text):
    """The text's words, folded, and whether each is of a script that is written without spaces."""
    word, unspaced, found = [], False, []

    def flush():
        nonlocal word, unspaced
        if word:
            found.append(("".join(word), unspaced))
        word, unspaced = [], False

    for character in text:
        c = ord(character)
        if 0xFF01 <= c <= 0xFF5E:
            c -= 0xFEE0
            character = chr(c)
        if character in " \t\n\r" or unicodedata.category(character) == "Zs":
            flush()
            continue
        category = unicodedata.category(character)
        if c in (0, 0xFFFD) or category in ("Cc", "Cf", "Cn", "Co", "Cs"):
            continue
        parts = character if keeps_marks(c) else unicodedata.normalize("NFD", character)
        for part in parts:
            p = ord(part)
            if not keeps_marks(p) and unicodedata.category(part) == "Mn":
                continue
            if is_punctuation(part):
                flush()
                found.append((part, False))
            elif is_han(p) or is_kana(p):
                if word and not unspaced:
                    flush()
                unspaced = True
                word.append(part)
            else:
                if word and unspaced:
                    flush()
                word.append(part.lower())
    flush()
    return found


class Pieces:
    def __init__(self, vocabulary):
        self.first, self.continuation, self.longest = {}, {}, 1
        for row, line in enumerate(vocabulary):
            if len(line) > 2 and line.startswith("[") and line.endswith("]"):
                continue
            if line.startswith("##") and len(line) > 2:
                self.continuation[line[2:]] = row
                self.longest = max(self.longest, len(line) - 2)
            else:
                self.first[line] = row
                self.longest = max(self.longest, len(line))

    def rows(self, text):
        found = []
        for word, unspaced in words(text):
            if len(word) > MAX_WORD and not unspaced:
                continue
            row = self.first.get(word)
            if row is not None:
                found.append(row)
                continue
            start = 0
            while start < len(word):
                table = self.first if start == 0 or unspaced else self.continuation
                for end in range(min(len(word), start + self.longest), start, -1):
                    row = table.get(word[start:end])
                    if row is not None:
                        found.append(row)
                        start = end
                        break
                else:
                    start += 1  # a letter that no piece has: passed over
        return found
