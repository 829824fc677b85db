"""Tiny models with random weights: one that answers in words, and classifiers."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from answering import LABELS
from hinter.corpora import Prompt
from hinter.models import Task
from hinter.models.encoder import Encoder
from hinter.models.generating import GeneratingModel
from hinter.models.local import open_causal
from transformers import (
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
    LlamaConfig,
    LlamaForCausalLM,
)

SIZES: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
SIZES["num_attention_heads"] = 4
WORDS = ["good", "bad", "film", "man", "woman", "a", "the", "and", "dull", "lovely"]
ANSWER_TOKENS = 5


def write_llama(folder: Path, *, tokenizer: Path) -> Path:
    """Write the model with the tokenizer of another."""
    torch.manual_seed(1)
    words = AutoTokenizer.from_pretrained(tokenizer)
    config = LlamaConfig(
        **SIZES, num_key_value_heads=2, vocab_size=len(words), initializer_range=0.3
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def write_scripted(folder: Path, *, tokenizer: Path, answer: Sequence[str]) -> Path:
    """Write a language model that says the tokens of an `answer` after anything, then ends.

    Tokens that the tokenizer lacks become control tokens.
    """
    words = AutoTokenizer.from_pretrained(tokenizer)
    new = [token for token in answer if token not in words.get_vocab()]
    words.add_special_tokens({"eos_token": "<|end|>", "extra_special_tokens": new})
    said = words.convert_tokens_to_ids([*answer, words.eos_token])
    return _write_planted(folder, list(pairwise([None, *said])), words=words)


def write_chain(folder: Path, follows: Mapping[str, str], *, tokenizer: Path) -> Path:
    """Write a Llama with the tokenizer of another, of which each answer's next token is planted.

    It is decided by the last token alone: by those that `follows` names.
    """
    words = AutoTokenizer.from_pretrained(tokenizer)
    encode = partial(words.encode, add_special_tokens=False)
    links = [(*encode(last), *encode(after)) for last, after in follows.items()]
    return _write_planted(folder, links, words=words)


def _write_planted(folder: Path, links: Sequence[tuple[int | None, int]], *, words: Any) -> Path:
    """Write a Llama in which the token after another (None: after any other) is that of a link.

    Its layers change nothing: each link has a dimension, from which the next token is read.
    """
    config = LlamaConfig(
        **SIZES, num_key_value_heads=2, vocab_size=len(words), eos_token_id=words.eos_token_id
    )
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        embeddings, head = model.get_input_embeddings().weight.zero_(), model.lm_head.weight.zero_()
        for place, (last, after) in enumerate(links):
            head[after, place] = 1
            if last is None:
                embeddings[:, place] = 1
            else:
                embeddings[last] = torch.eye(SIZES["hidden_size"])[place]
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def write_classifier(folder: Path, *, tokenizer: Path, labels: Sequence[str]) -> Path:
    """Write an encoder of these labels, with weights so large that most words count."""
    torch.manual_seed(1)
    AutoTokenizer.from_pretrained(tokenizer).save_pretrained(folder)
    sizes = SIZES | {"num_attention_heads": 2}
    config = BertConfig(**sizes, initializer_range=0.5, id2label=dict(enumerate(labels)))
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def open_encoder(
    folder: Path,
    *,
    labels: Sequence[str] = LABELS,
    multi_label: bool = False,
    renamed: Mapping[str, str] | None = None,
    **settings: Any,
) -> Encoder:
    """Return the encoder in a folder, run as the settings of a models sheet say."""
    sheet = {"device": "cpu", "dtype": "float32", "scores": False, "threads": 1}
    sheet |= {"batch_tokens": 1024, "max_tokens": 64, "labels": renamed or {}}
    return Encoder(folder, sheet=sheet | settings, labels=labels, multi_label=multi_label)


def open_generating(folder: Path, **settings: Any) -> GeneratingModel:
    """Return the model in a folder, run as the settings of a models sheet say."""
    prompt = Prompt(1, "Say what it says. ", "{text} So:", "none", ANSWER_TOKENS, {}, LABELS)
    sheet = {"chat": False, "answer_prefix": None, "context_tokens": None, "max_tokens": 40}
    sheet |= {"batch_tokens": 600, "threads": 1, "device": "cpu", "dtype": "float32"}
    model = open_causal(
        folder, sheet=sheet | settings, task=Task(prompt, [], multi_label=False), offsets=None
    )
    assert isinstance(model, GeneratingModel)
    return model
