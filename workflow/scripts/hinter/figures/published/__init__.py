"""The paper's figures, plotted from the counts that its authors published."""
