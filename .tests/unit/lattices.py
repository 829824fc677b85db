"""All mutants of made-up originals by pairs of three attributes."""

from itertools import combinations, product

from result_files import Row

ATTRIBUTES = ["age", "body", "race"]
PAIRS = {name: [f"{name}:x>{target}" for target in "pq"] for name in ATTRIBUTES}


def mutants_of(original_id: str, *, valid: dict[str, bool]) -> list[Row]:
    """Return all mutants of an original, valid unless `valid` tells otherwise."""
    rows = []
    for order in (1, 2, 3):
        for attributes in combinations(ATTRIBUTES, order):
            for pair_ids in product(*(PAIRS[name] for name in attributes)):
                mutant_id = "|".join([original_id, *pair_ids])
                rows.append(
                    {
                        "mutant_id": mutant_id,
                        "original_id": original_id,
                        "order": order,
                        "attributes": "+".join(attributes),
                        "pair_ids": list(pair_ids),
                        "valid": valid.get(mutant_id, True),
                        "reason": None if valid.get(mutant_id, True) else "pos",
                        "sampled": None,
                        "control": False,
                    }
                )
    return rows


ALL_IDS = [row["mutant_id"] for row in mutants_of("o", valid={})]
VALID = {key: (len(key) + ord(key[-1])) % 3 > 0 for key in ALL_IDS}
MANY = [
    row
    for number in range(20)
    for row in mutants_of(f"o{number}", valid={f"o{number}{key[1:]}": VALID[key] for key in VALID})
]
