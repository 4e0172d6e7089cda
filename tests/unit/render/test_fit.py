"""Text cut and folded to cells."""

from hypothesis import given
from hypothesis import strategies as st

from handrail.render.fit import cells, cut_end, cut_path, cut_start, fold

TEXT = st.text(st.sampled_from("ab/漢字🚀…é"), max_size=40)


@given(TEXT, st.integers(0, 40))
def test_a_cut_text_fits(text: str, width: int) -> None:
    for cut in (cut_end, cut_start, cut_path):
        assert cells(cut(text, width)) <= width


@given(TEXT)
def test_a_text_that_fits_is_not_cut(text: str) -> None:
    for cut in (cut_end, cut_start, cut_path):
        assert cut(text, cells(text)) == text


@given(TEXT, st.integers(2, 40))
def test_folded_pieces_fit_and_are_the_text(text: str, width: int) -> None:
    pieces = fold(text, width)

    assert "".join(pieces) == text
    assert all(cells(piece) <= width for piece in pieces)


def test_a_path_keeps_its_name_longest() -> None:
    path = "/scratch/large_tool_results/c7.txt"

    assert cut_path(path, 20) == "/scratch/lar…/c7.txt"
    assert cut_path(path, 8) == "…/c7.txt"
    assert cut_path(path, 4) == "…txt"
