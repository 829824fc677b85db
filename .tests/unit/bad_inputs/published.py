"""Tables of published numbers that were damaged or edited."""

from pathlib import Path

from hinter.tables.data.training import read_published_scores
from hinter.tables.published.counts import read_published

from .case import ROOT, Case, Line, write

PUBLISHED = sorted((ROOT / "data" / "published").glob("*.csv"))
BRING_BACK = "Restore the file"
RATES = "model,dataset,tested,biased,looked_up,hidden\n"
SCORES = "model,dataset,micro_f1,macro_f1\n"
WHOLE = "a whole number of at least 0"
FILES: dict[str, tuple[str, str | bytes, Line]] = {
    "nothing": (
        "bias_rates.csv",
        "",
        Line("bias_rates.csv", "no row", "the columns model, dataset", BRING_BACK),
    ),
    "a header alone": (
        "bias_rates.csv",
        RATES,
        Line("bias_rates.csv", "no row", "the columns model, dataset", BRING_BACK),
    ),
    "a column that is missing": (
        "bias_rates.csv",
        "model,dataset,tested,biased,hidden\na,b,1,1,1\n",
        Line("line 2", "the columns model, dataset, tested", "a column 'looked_up'", BRING_BACK),
    ),
    "a column given twice": (
        "bias_rates.csv",
        "model,dataset,tested,biased,looked_up,tested\na,b,1,1,1,1\n",
        Line("line 1", "the column 'tested' twice", "distinct columns", "Rename or remove"),
    ),
    "other separators": (
        "truth_table.csv",
        "combination;model;intersectional\na+b;m;True\n",
        Line("line 2", "the columns combination, model,", "a column 'first'", BRING_BACK),
    ),
    "a row with too few fields": (
        "bias_rates.csv",
        f"{RATES}a,b,1,1\n",
        Line("line 2", "4 fields", "the 6 fields of the header", "Quote fields"),
    ),
    "a row with too many fields": (
        "bias_rates.csv",
        f"{RATES}a,b,1,1,1,1,1\n",
        Line("line 2", "7 fields", "the 6 fields of the header", "Quote fields"),
    ),
    "a count in words": (
        "bias_rates.csv",
        f"{RATES}a,b,many,1,1,1\n",
        Line("line 2, column 'tested'", "'many'", WHOLE, BRING_BACK),
    ),
    "a count below 0": (
        "bias_rates.csv",
        f"{RATES}a,b,1,-1,1,1\n",
        Line("line 2, column 'biased'", "'-1'", WHOLE, BRING_BACK),
    ),
    "a count with a dot": (
        "bias_rates.csv",
        f"{RATES}a,b,1.5,1,1,1\n",
        Line("line 2, column 'tested'", "'1.5'", WHOLE, BRING_BACK),
    ),
    "a count that is empty": (
        "bias_rates.csv",
        f"{RATES}a,b,,1,1,1\n",
        Line("line 2, column 'tested'", "''", WHOLE, BRING_BACK),
    ),
    "a count of thousands of digits": (
        "bias_rates.csv",
        f"{RATES}a,b,{'1' * 5000},1,1,1\n",
        Line("line 2, column 'tested'", "'1111", WHOLE, BRING_BACK),
    ),
    "neither true nor false": (
        "truth_table.csv",
        "combination,model,intersectional,first,second,mutants\na+b,m,yes,True,True,1\n",
        Line("line 2, column 'intersectional'", "'yes'", "True or False", BRING_BACK),
    ),
    "a score that is no number": (
        "grammar.csv",
        "sample,level,exhibit,originals,mutants\nvalid,atomic,RQ2,good,1.0\n",
        Line("line 2, column 'originals'", "'good'", "a number of points", BRING_BACK),
    ),
    "bytes that are not UTF-8": (
        "underived.csv",
        b"exhibit,what,why\nTable 1,caf\xe9,x\n",
        Line("underived.csv, line 2", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "a quote that is never closed": (
        "underived.csv",
        'exhibit,what,why\nTable 1,"what,why\n',
        Line("line 2", "broken quotes", "a row of CSV", "Close every quote"),
    ),
}


def _counts(name: str, content: str | bytes, line: Line) -> Case:
    def read(folder: Path) -> object:
        others = [str(path) for path in PUBLISHED if path.name != name]
        return read_published([*others, str(write(folder / name, content))])

    return Case(read, line)


def _scores(content: str, line: Line) -> Case:
    return Case(lambda folder: read_published_scores(write(folder / "scores.csv", content)), line)


CASES = {
    "no file": Case(
        lambda folder: read_published([str(path) for path in PUBLISHED[1:]]),
        Line(PUBLISHED[0].name, "no such file", "the columns model, dataset", BRING_BACK),
    ),
    **{name: _counts(*file) for name, file in FILES.items()},
    "scores of other columns": _scores(
        "model,dataset\na,b\n",
        Line("scores.csv, line 2", "the columns model, dataset", "'micro_f1'", BRING_BACK),
    ),
    "a score in words": _scores(
        f"{SCORES}a,b,good,0.5\n",
        Line("scores.csv, line 2, column 'micro_f1'", "'good'", "a number", BRING_BACK),
    ),
    "a score in per cent": _scores(
        f"{SCORES}a,b,71.2,0.5\n",
        Line("scores.csv, line 2, column 'micro_f1'", "'71.2'", "from 0 to 1", BRING_BACK),
    ),
}
