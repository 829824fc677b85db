"""Metamorphic relations: prompts about people, and what each relation rewrites them as."""

from .checking import Prompts, check_prompts
from .drawing import draw_sources
from .relation import Relation, relations
from .rendering import render
from .suite import FOLLOW_UPS_SCHEMA, write_follow_ups

__all__ = [
    "FOLLOW_UPS_SCHEMA",
    "Prompts",
    "Relation",
    "check_prompts",
    "draw_sources",
    "relations",
    "render",
    "write_follow_ups",
]
