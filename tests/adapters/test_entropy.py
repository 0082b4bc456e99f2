"""Codes can be read out to anybody; a seed repeats itself."""

import pytest

from adapters.entropy import SeededEntropy, SystemEntropy
from core.desk import CODE_LETTERS, is_code
from core.ports import Entropy


@pytest.mark.parametrize("entropy", [SystemEntropy(), SeededEntropy("tea")])
def test_a_code_has_so_many_letters_of_the_alphabet(entropy: Entropy) -> None:
    for letters in (5, 6, 7):
        code = entropy.code(letters)
        assert len(code) == letters
        assert set(code) <= set(CODE_LETTERS)
        assert is_code(code.casefold())


@pytest.mark.parametrize("entropy", [SystemEntropy(), SeededEntropy("tea")])
def test_nothing_is_said_twice(entropy: Entropy) -> None:
    said = {entropy.nonce() for _ in range(100)} | {entropy.seed() for _ in range(100)}
    assert len(said) == 200


def test_the_alphabet_has_no_vowels_and_no_look_alikes() -> None:
    assert not set(CODE_LETTERS) & set("AEIOUYBDLQSZ0123456789")


@pytest.mark.parametrize("code", ["FCKGH", "GFCKH", "HKKKG", "XXCNT", "WTFWT"])
def test_a_rude_code_is_not_given_out(code: str) -> None:
    assert not is_code(code.casefold())


def test_a_rude_code_is_drawn_again() -> None:
    entropy = SeededEntropy("tea")
    assert all(is_code(entropy.code(5).casefold()) for _ in range(3000))


def test_the_same_seed_says_the_same() -> None:
    one, other, third = (SeededEntropy(seed) for seed in ("tea", "tea", "coffee"))

    assert [one.seed(), one.code(5), one.nonce()] == [other.seed(), other.code(5), other.nonce()]
    assert third.seed() != SeededEntropy("tea").seed()
