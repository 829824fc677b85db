"""Words whose full stop ends no sentence: those of spaCy's English tokenizer, without initials."""

_TITLES = "Adm. Dr. Gen. Gov. Jr. Messrs. Mr. Mrs. Ms. Ph.D. Prof. Rep. Rev. Sen. St."
_MONTHS = "Jan. Feb. Mar. Apr. Jun. Jul. Aug. Sep. Sept. Oct. Nov. Dec."
_STATES = (
    "Ak. Ala. Ariz. Ark. Calif. Colo. Conn. Del. Fla. Ga. Ia. Id. Ill. Ind. Kan. Kans. Ky. La. "
    "Mass. Md. Mich. Minn. Miss. Mo. Mont. Neb. Nebr. Nev. Okla. Ore. Pa. Tenn. Va. Wash. Wis."
)
_COMPANIES = "Bros. Co. co. Corp. Inc. Ltd."
_HOURS = " ".join(f"{hour}{half}.m." for hour in range(1, 13) for half in "ap")
_OTHERS = "Mt. vs. ._. °C. °F. °K. °c. °f. °k."

ABBREVIATIONS = frozenset(
    " ".join((_TITLES, _MONTHS, _STATES, _COMPANIES, _HOURS, _OTHERS)).split()
)
