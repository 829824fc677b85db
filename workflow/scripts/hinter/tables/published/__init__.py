"""The paper's numbers: as printed, as recomputed from its published counts, and corrected."""
