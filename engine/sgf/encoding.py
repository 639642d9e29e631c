"""Texts of files in any encoding: UTF-8, the one that the file names, or the one that makes most sense.

Records without CA have a few names and comments among ASCII, too little for counts of letters. So every
encoding in which the bytes are valid is judged by the characters that they give.
"""

import codecs
import re

from tengen.engine.errors import NotationError
from tengen.engine.sgf.syntax import Notes
from tengen.engine.storage.parsing import require_characters

CHARSET = rb"CA\s*\[\s*([\w.:-]{1,40})\s*\]"
HEAD = 10_000  # bytes in which a file names its encoding
SAMPLE = 200_000  # bytes that are judged
NO_CHARSETS = {"punycode", "idna", "unicode_escape", "raw_unicode_escape"}  # codecs for names and sources
ESCAPES = b"\x1b"  # of encodings with seven bits
# Characters of players, events, results and comments on games
SIMPLIFIED = "围棋赛届战决轮级国际业总双单胜负对时间广东华汉张陈刘杨罗马赵黄吴孙郑许韩邓冯萧陆苏卢"
TRADITIONAL = "圍賽屆戰決輪級國際業總雙單勝負對時間廣東華漢張陳劉楊羅馬趙黃吳孫鄭許韓鄧馮蕭陸蘇盧俊勳龍"
JAPANESE = "戦勝黒盤譜級対第局期井山田本藤村小林高川依竹武宮沢張栩治勲羽根坂結聡院押目並"
CHINESE = (
    "九八七六五四三二一十段黑白中盤盘目半子先番名人王天元冠杯手好的是在不了这這有大下上年月日局第期棋柯洁李世"
    "石连連珠古力常昊孟聂聶卫衛平朴胡唐范檀啸嘯时越周"
)
KOREAN = (
    "이김박최정강조윤장임한신서권황안송류홍단국기제배전명인왕위흑백승불계패반집수의다는을를가에서지고창호석환"
    "세돌오목리그바둑대회결선일월년원진동영준성민재현우상"
)
# By encoding: the first bytes of its ordinary characters, and those that are common
WIDE = {
    "gb18030": (range(0xB0, 0xD8), SIMPLIFIED + CHINESE),
    "big5": (range(0xA4, 0xC7), TRADITIONAL + CHINESE),
    "cp932": (range(0x82, 0x98), JAPANESE + CHINESE),
    "cp949": (range(0xB0, 0xC9), KOREAN),
}
# By encoding: what its words are like
NARROW = {
    "cp1252": "(?<=[A-Za-z])[à-öø-ÿßŠšŽž]|[À-ÖØ-ÞŠŽà-öø-ÿ](?=[a-z])",
    "cp1251": "[А-ЯЁ]?[а-яё]{3,}|[А-ЯЁ]{4,}",
    "koi8_r": "[А-ЯЁ]?[а-яё]{3,}|[А-ЯЁ]{4,}",
}


def decoded(data: bytes, notes: Notes, naming: bytes = CHARSET) -> str:
    """Return the text of a file; tell `notes` if the encoding had to be guessed.

    `naming` is a pattern whose first group is the encoding that the file names.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    found = re.search(naming, data[:HEAD])
    named = found[1].decode("latin-1") if found else ""
    named = "" if named.lower().replace("-", "_") in NO_CHARSETS else named
    for encoding in ([named] if ESCAPES in data else []) + ["utf-8-sig", named]:
        try:
            text = data.decode("gb18030" if encoding.lower() in ("gb2312", "gbk") else encoding)
            return require_characters(text, encoding)
        except (LookupError, UnicodeError, NotationError):
            continue
    encoding = likely(data)
    notes.add(
        "no encoding is named; read in the one that makes most sense"
        if not named
        else f"not in the encoding {named} that is named; read in the one that makes most sense",
        encoding,
    )
    return data.decode(encoding, "replace")


def likely(data: bytes) -> str:
    """Return the name of the encoding in which `data` makes most sense."""
    lines = (line for line in re.split(rb"[\r\n]+", data) if not line.isascii())
    sample = b"\n".join(dict.fromkeys(lines))[:SAMPLE]
    sample = sample[: sample.rfind(b"\n")] if len(sample) == SAMPLE else sample
    return max([*WIDE, *NARROW], key=lambda encoding: _sense(sample, encoding))


def _sense(data: bytes, encoding: str) -> float:
    """Return how much sense `data` makes in an encoding, from 0 to 1; less if it is invalid there."""
    try:
        text = data.decode(encoding)
    except UnicodeError:
        return -1.0 if encoding == "cp1252" else -2.0  # the one in which least is lost
    foreign = [character for character in text if not character.isascii()]
    if encoding in NARROW:
        words = re.findall(NARROW[encoding], text)
        sense = sum(len(word) * (0.7 if len(word) > 1 and word.isupper() else 0.9) for word in words)
        return sense / max(1, len(foreign))
    ordinary, common = WIDE[encoding]
    usual = sum(character.encode(encoding)[0] in ordinary for character in foreign)
    known = sum(character in common or "ぁ" <= character <= "ん" for character in foreign)
    lost = max(0, data.count(b"]") - text.count("]"))  # taken for halves of characters
    return (0.45 * usual + 0.5 * known - lost) / max(1, len(foreign))
