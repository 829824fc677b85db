"""The paper's comparison of two sequences (`tolerantTableComp`, section 3, step 2)."""

from collections.abc import Sequence


def tolerantly_equal(original: Sequence[int], mutated: Sequence[int]) -> bool:
    """Tell whether two sequences of tags or labels match but for inserted elements.

    Sequences of equal length must be equal. A length difference of k allows k unmatched elements:
    both are walked side by side; a mismatch counts as one, and as long as fewer than k elements
    were skipped the longer sequence is moved one further before both move on; what is left over
    in either counts too. So the element after a skipped one is never compared.
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
