"""The paper's numbers: as printed, recomputed from the counts its authors published, corrected."""
