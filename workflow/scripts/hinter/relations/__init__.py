"""Metamorphic relations: prompts about people, and what each relation rewrites them as."""

from .catalogue import INFORMATION, RELATIONS
from .checking import Prompts, check_prompts
from .drawing import draw_sources
from .rendering import render
from .suite import FOLLOW_UPS_SCHEMA, write_follow_ups
