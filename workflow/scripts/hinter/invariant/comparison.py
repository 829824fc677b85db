"""The paper's comparison of two sequences (`tolerantTableComp`, section 3, step 2)."""

from collections.abc import Sequence


def tolerantly_equal(original: Sequence[int], mutated: Sequence[int]) -> bool:
    """Tell whether two sequences of tags or labels match apart from inserted elements.

    Sequences of equal length must be equal. A length difference of k allows k unmatched elements.
    Both sequences are walked side by side. A mismatch counts as one unmatched element; if fewer
    than k elements were skipped so far, the longer sequence skips one before both move on. Elements
    left over at the end of either count too. So the element after a skipped one is never compared.
    """
    tolerance = abs(len(original) - len(mutated))
    if tolerance == 0:
        return original == mutated
    longer, shorter = sorted((original, mutated), key=len, reverse=True)
    i = j = unmatched = skipped = 0
    while i < len(longer) and j < len(shorter):
        if longer[i] != shorter[j]:
            unmatched += 1
            if skipped < tolerance:
                skipped += 1
                i += 1
        i += 1
        j += 1
    unmatched += max(0, len(longer) - i) + len(shorter) - j
    return unmatched <= tolerance
