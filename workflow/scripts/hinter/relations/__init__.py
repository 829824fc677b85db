"""Metamorphic relations: prompts about people, and how each relation rewrites them."""

from .catalogue import INFORMATION, RELATIONS
from .checking import Prompts, check_prompts
from .drawing import draw_sources
from .rendering import render
from .suite import FOLLOW_UPS_SCHEMA, write_follow_ups
