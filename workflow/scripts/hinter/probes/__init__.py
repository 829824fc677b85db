"""Probes: prompts with their counterfactuals, and the hits among the answers to them.

A probe is a module of this package, which ends with its `PROBE`, and a sheet of the same name in
config/probes/.
"""

from .building import HITS_SCHEMA, PROMPTS_SCHEMA, build_probe, find_hits
from .probe import Answered, BasePrompt, Counterfactual, Finding, Probe, import_probe
