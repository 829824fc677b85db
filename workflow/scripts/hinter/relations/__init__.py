"""Metamorphic relations: prompts about people, and how each relation rewrites them."""

from .catalogue import INFORMATION, RELATIONS
from .prompt import render
from .sources import check_articles, sample_sources
from .suite import FOLLOW_UPS_SCHEMA, write_follow_ups
