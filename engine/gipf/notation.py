"""The potentials of GIPF as people write their names; protocols write them in ASCII."""

NAMES = {"ZERTZ": "ZÈRTZ", "PUNCT": "PÜNCT"}


def shown(text: str) -> str:
    """Return `text` with the names as people write them."""
    for name, written in NAMES.items():
        text = text.replace(name, written)
    return text
