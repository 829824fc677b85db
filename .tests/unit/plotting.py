"""Figures of rows as these come back from their CSV."""

from pathlib import Path

import pandas as pd
from hinter.figures import Figure


def plot(figure: Figure, rows: pd.DataFrame, folder: Path) -> tuple[bytes, bytes]:
    """Return a figure of the rows as PDF and as PNG."""
    table, pdf, png, svg = (folder / name for name in ("rows.csv", "f.pdf", "f.png", "f.svg"))
    rows.to_csv(table, index=False)
    figure.make(tables=[str(table)], empty="Nothing to show.", pdf=pdf, png=png, svg=svg)
    assert pdf.read_bytes().startswith(b"%PDF")
    assert png.stat().st_size > 1000
    return pdf.read_bytes(), png.read_bytes()
