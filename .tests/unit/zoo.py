"""Tiny models with random weights of every architecture that transformers has."""

import random
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from answering import LABELS
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    CONFIG_MAPPING,
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
    PreTrainedConfig,
    PreTrainedTokenizerFast,
)

WORDS = [*LABELS, *map(str, range(100))]
SPECIAL = [f"<{number}>" for number in range(10)]
BEGIN, END, PAD = 5, 6, 7
VOCABULARY = len(SPECIAL) + len(WORDS)
MOST_NUMBERS = 20_000_000
KINDS = {"classifier": AutoModelForSequenceClassification, "causal": AutoModelForCausalLM}
NARROW = {
    32: ("hidden_size", "d_model", "n_embd", "dim", "emb_dim", "embedding_size", "embedding_dim"),
    64: ("intermediate_size", "ffn_dim", "n_inner", "d_ff", "d_inner", "hidden_dim", "dim_ff"),
    8: ("head_dim", "kv_lora_rank", "q_lora_rank", "d_kv", "d_head", "rotary_dim"),
    4: ("heads", "n_head", "n_heads"),
}
"""What sizes are set to: those with this name, or with a name that ends in it."""
SHORT = {
    4: ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"),
    2: ("num_experts_per_tok", "moe_topk", "moe_k", "topk_group", "n_group", "period"),
    1: ("offset",),
    8: ("sliding_window", "window", "window_size", "chunk_size"),
}
LAYERS = ("layers", "n_layer", "n_layers", "num_blocks")
DERIVED = ("qk_head_dim", "chunk_size_feed_forward")
RECIPES = ((2, True), (4, True), (8, True), (2, False))
"""Numbers of layers, and whether the model is narrow: the first that can be run is taken."""


def _named(name: str, endings: Iterable[str]) -> bool:
    return any(name == ending or name.endswith(f"_{ending}") for ending in endings)


def shrunk(name: str, value: Any, *, layers: int, narrow: bool) -> Any:
    """Return what a setting is in a tiny model; the same where it is no size."""
    if name in ("vocab_size", "head_dim") and value is None:
        return VOCABULARY if name == "vocab_size" else 8
    if isinstance(value, bool) or not isinstance(value, int) or name in DERIVED:
        return value
    if name.endswith(("token_id", "token_index")):
        return {"eos": END, "bos": BEGIN}.get(name[:3], value if 0 <= value < 10 else PAD)
    if name.endswith("vocab_size"):
        return VOCABULARY
    for size, endings in [*SHORT.items(), *(NARROW.items() if narrow else ())]:
        if _named(name, endings):
            return min(size, value)
    if _named(name, LAYERS) and not name.startswith(("first", "global", "no_", "max")):
        return min(layers, value)
    return value


def _settings(config: PreTrainedConfig, **recipe: Any) -> Iterator[tuple[str, Any]]:
    for name, value in config.to_dict().items():
        part = getattr(config, name, None)
        if isinstance(part, PreTrainedConfig):
            yield name, type(part)(**dict(_settings(part, **recipe))).to_dict()
        elif name in ("initializer_range", "init_std"):
            yield name, 0.2
        elif shrunk(name, value, **recipe) != value:
            yield name, shrunk(name, value, **recipe)


def _built(architecture: str, *, kind: str, recipe: tuple[int, bool], **settings: Any) -> Any:
    """Return a model with few numbers, shrunk by the names of settings."""
    layers, narrow = recipe
    config_class = CONFIG_MAPPING[architecture]
    own = dict(_settings(config_class(), layers=layers, narrow=narrow))
    config = config_class(**own | settings)
    if config.is_encoder_decoder and getattr(config, "decoder_start_token_id", None) is None:
        config.decoder_start_token_id = BEGIN
    with torch.device("meta"):
        numbers = sum(part.numel() for part in KINDS[kind].from_config(config).parameters())
    if numbers > MOST_NUMBERS:
        raise ValueError(f"{numbers} numbers")
    torch.manual_seed(1)
    return KINDS[kind].from_config(config).eval()


def write_tiny(folder: Path, architecture: str, *, kind: str, **settings: Any) -> str | None:
    """Write a tiny model and a tokenizer of words; return why it cannot be run, if it cannot."""
    said, model = "", None
    for recipe in RECIPES:
        try:
            model = _built(architecture, kind=kind, recipe=recipe, **settings)
            with torch.inference_mode():
                model(torch.tensor([[BEGIN, *range(20, 50), END]]))
        except Exception as error:  # Architectures fail in ways of their own.
            said = said or f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]
        else:
            said = ""
            break
    if model is not None:
        model.save_pretrained(folder)
        write_tokenizer(folder)
    return said or None


def write_tokenizer(folder: Path) -> None:
    """Write a tokenizer of words, of which some are special."""
    ids = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
    words = Tokenizer(models.WordLevel(ids, unk_token=SPECIAL[0]))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    begin, end = SPECIAL[BEGIN], SPECIAL[END]
    words.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(begin, BEGIN), (end, END)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token=SPECIAL[0], bos_token=begin, eos_token=end
    ).save_pretrained(folder)


def texts_of(count: int) -> list[str]:
    """Return texts of 3 to 60 words, half of them like another but for a word."""
    draw = random.Random(1)
    found = []
    for _ in range(count // 2):
        words = draw.choices(WORDS, k=draw.randint(3, 60))
        found += [" ".join(words), " ".join([*words[:-2], "1", words[-1]])]
    return found


def architectures(kind: str) -> Mapping[str, Any]:
    """Return the architectures that transformers has for a kind of model."""
    return dict.fromkeys(
        config.model_type for config in KINDS[kind]._model_mapping if config.model_type
    )
