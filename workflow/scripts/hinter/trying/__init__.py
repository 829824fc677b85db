"""Texts of one's own, tried on a model at once: their mutants asked, and shown in the terminal."""

from .asking import ask_mutants
from .mutating import write_mutants
from .reading import read_tried
from .showing import show_tried
