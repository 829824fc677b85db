"""Metamorphic relations: prompts about people, and how each relation rewrites them."""

from .catalogue import INFORMATION, RELATIONS
from .rendering import render
from .sheet_checks import check_articles
from .sources import sample_sources
from .suite import FOLLOW_UPS_SCHEMA, write_follow_ups
