"""The paper's figures, drawn from the counts its authors published."""
