"""Made-up persons in the form of the Adult data set."""

from itertools import product

KEPT = "Private, {weight}, HS-grad, 9, {marital}, Sales, {relationship}, {race}, {sex}, 0, 0, 40"
HOMES = {
    "Husband": ("Married-civ-spouse", "Male"),
    "Wife": ("Married-civ-spouse", "Female"),
    "Unmarried": ("Divorced", "Female"),
    "Own-child": ("Never-married", "Male"),
}


def adult_lines(ages: range) -> list[str]:
    """Return a row for every age, home, race and income, each person with a weight of its own."""
    combinations = product(ages, HOMES.items(), ("White", "Black"), ("<=50K", ">50K"))
    return [
        f"{age}, "
        + KEPT.format(
            weight=1000 + number, marital=marital, relationship=relationship, race=race, sex=sex
        )
        + f", United-States, {income}"
        for number, (age, (relationship, (marital, sex)), race, income) in enumerate(combinations)
    ]
