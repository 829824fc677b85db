"""Probes: prompts with their counterfactuals, and what the answers to them show.

A probe is one module of this room, which ends in its `PROBE`, and one sheet of the same name in
config/probes/.
"""

from .building import HITS_SCHEMA, PROMPTS_SCHEMA, build_probe, find_hits
from .probe import Answered, BasePrompt, Counterfactual, Finding, Probe, import_probe
