"""Amounts for people: bytes, tokens, counted things."""


def size(count: int) -> str:
    """Bytes for people: `980 bytes`, `212 kB`, `1.4 MB`."""
    if count < 1000:
        return plural(count, "byte")
    if count < 999_500:
        return f"{count / 1000:.0f} kB" if count >= 9950 else f"{count / 1000:.1f} kB"
    return f"{count / 1_000_000:.1f} MB"


def tokens(count: int) -> str:
    """`950`, `12.3k`, `200k`, `1.2M`."""
    if count < 1000:
        return str(count)
    value, unit = (count / 1000, "k") if count < 999_500 else (count / 1_000_000, "M")
    return f"{value:.0f}{unit}" if value >= 100 else f"{value:.1f}".removesuffix(".0") + unit


def plural(count: int, word: str, many: str = "") -> str:
    return f"{count} {word if count == 1 else many or word + 's'}"
