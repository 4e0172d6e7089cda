"""Text that can be encoded: whatever comes from outside may hold halves of surrogate pairs."""

from collections.abc import Mapping
from typing import TypeVar, cast

K = TypeVar("K")


def without_surrogates(text: str) -> str:
    """Split surrogate pairs are joined, lone ones replaced: they cannot be encoded."""
    if is_whole(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def is_whole(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole(value: object) -> object:
    """The same for every text in a value of JSON; the very same value when nothing is wrong."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        return whole_mapping(cast("dict[object, object]", value))
    if isinstance(value, list):
        items = cast("list[object]", value)
        mended = [whole(item) for item in items]
        same = all(new is old for new, old in zip(mended, items, strict=True))
        return items if same else mended
    return value


def whole_mapping(value: Mapping[K, object]) -> Mapping[K, object]:
    mended = {cast("K", whole(key)): whole(item) for key, item in value.items()}
    pairs = zip(mended.items(), value.items(), strict=False)
    same = len(mended) == len(value) and all(
        new is old and new_key is old_key for (new_key, new), (old_key, old) in pairs
    )
    return value if same else mended
