"""Tiny models of the papers' architectures, with random weights and tokenizers of a few words."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import (
    AddedToken,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from transformers import (
    AutoModel,
    BertConfig,
    DebertaConfig,
    DistilBertConfig,
    LlamaConfig,
    LlamaForCausalLM,
    PretrainedConfig,
    PreTrainedTokenizerFast,
    RobertaConfig,
)

SEED = 1
WORDS = 500
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    # Untrained encoders learn words sooner from larger weights.
    "initializer_range": 0.1,
}
CONFIGS: dict[str, Callable[..., PretrainedConfig]] = {
    "bert": BertConfig,
    "legal-bert": BertConfig,
    "distilbert-rater": lambda **sizes: DistilBertConfig(**sizes, hidden_dim=64),
    "roberta": lambda **sizes: RobertaConfig(**sizes, type_vocab_size=1),
    # As the published one: relative positions only.
    "deberta": lambda **sizes: DebertaConfig(
        **sizes,
        relative_attention=True,
        pos_att_type=["c2p", "p2c"],
        position_biased_input=False,
        type_vocab_size=0,
    ),
}
WORD_PIECES = ("bert", "distilbert-rater", "legal-bert")
OF_BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
OF_ROBERTA = ["<pad>", "<unk>", "<s>", "</s>", "<mask>"]
SPECIAL = dict.fromkeys([*WORD_PIECES, "deberta"], OF_BERT) | dict.fromkeys(
    ["roberta", "llama"], OF_ROBERTA
)
# The form of Llama 2's own, which has the system's turn inside the first question.
LLAMA_CHAT = (
    "{{ bos_token }}{% for turn in messages %}"
    "{% if turn.role == 'system' %}[INST] <<SYS>>\n{{ turn.content }}\n<</SYS>>\n\n"
    "{% elif turn.role == 'user' %}"
    "{% if loop.first or loop.previtem.role != 'system' %}[INST] {% endif %}"
    "{{ turn.content }} [/INST]"
    "{% else %} {{ turn.content }} {{ eos_token }}{% endif %}{% endfor %}"
)


def write_encoder(
    folder: Path, architecture: str, texts: Iterable[str], *, positions: int, **settings: Any
) -> Path:
    """Write an untrained encoder, without a head, as published ones come; return its folder.

    Its vocabulary is made of the texts. RoBERTa sees two tokens fewer than it has positions.
    """
    tokenizer = _tokenizer(architecture, texts)
    config = CONFIGS[architecture](
        vocab_size=len(tokenizer),
        pad_token_id=0,
        max_position_embeddings=positions,
        **SIZES,
        **settings,
    )
    torch.manual_seed(SEED)
    AutoModel.from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def write_llama(
    folder: Path, texts: Iterable[str], *, labels: Sequence[str], positions: int
) -> Path:
    """Write an untrained Llama with a chat template; return its folder.

    Each label is a token of its own, so that answers at random name some.
    """
    tokenizer = _tokenizer("llama", texts)
    tokenizer.add_tokens([AddedToken(label, normalized=False) for label in labels])
    tokenizer.chat_template = LLAMA_CHAT
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        pad_token_id=0,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        max_position_embeddings=positions,
        **SIZES,
    )
    torch.manual_seed(SEED)
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(architecture: str, texts: Iterable[str]) -> PreTrainedTokenizerFast:
    pad, unknown, first, last, mask = special = SPECIAL[architecture]
    if architecture in WORD_PIECES:
        tokenizer = Tokenizer(models.WordPiece(unk_token=unknown))
        tokenizer.normalizer = normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer: Any = trainers.WordPieceTrainer(
            vocab_size=WORDS, special_tokens=special, show_progress=False
        )
    else:
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = trainers.BpeTrainer(
            vocab_size=WORDS,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
    tokenizer.train_from_iterator(texts, trainer)
    if architecture == "llama":
        tokenizer.decoder = decoders.ByteLevel()
        ends = {"bos_token": first, "eos_token": last}
        return PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, pad_token=pad, unk_token=unknown, **ends
        )
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}", special_tokens=[(first, 2), (last, 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=pad,
        unk_token=unknown,
        cls_token=first,
        sep_token=last,
        mask_token=mask,
    )
