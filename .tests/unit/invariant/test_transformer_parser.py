"""A pipeline with a transformer, as en_core_web_trf has one, behind the invariant.

The pipeline is made here: a small BERT over the wordpieces of a fetched model, random weights. It
parses nonsense, but through all the code that a trained one goes through.
"""

from pathlib import Path

import numpy as np
import pytest
import spacy
from hinter.corpora import Text
from hinter.invariant import CheckStore, Comparator, Invariant, Parser, check_block
from hinter.mutants import list_orders
from hinter.mutation import DictionaryIndex, Literal
from literal import LiteralCheck, RememberingParser, literal_answers, word_pairs
from spacy.language import Language
from spacy.training import Example
from spacy.util import load_config_from_str, load_model_from_config

pytestmark = pytest.mark.long

CONFIG = """
[nlp]
lang = "en"
pipeline = ["transformer", "tagger", "parser"]

[components]

[components.transformer]
factory = "curated_transformer"

[components.transformer.model]
@architectures = "spacy-curated-transformers.BertTransformer.v1"
vocab_size = 30522
hidden_width = 32
intermediate_width = 64
num_attention_heads = 2
num_hidden_layers = 1
piece_encoder = {{"@architectures": "spacy-curated-transformers.BertWordpieceEncoder.v1"}}

[components.transformer.model.with_spans]
@architectures = "spacy-curated-transformers.WithStridedSpans.v1"

[components.tagger]
factory = "tagger"

[components.tagger.model]
@architectures = "spacy.Tagger.v2"

[components.tagger.model.tok2vec]
@architectures = "spacy-curated-transformers.LastTransformerLayerListener.v1"
width = 32
pooling = {{"@layers": "reduce_mean.v1"}}
upstream = "transformer"

[components.parser]
factory = "parser"
min_action_freq = 1

[components.parser.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "parser"
hidden_width = 16
maxout_pieces = 2

[components.parser.model.tok2vec]
@architectures = "spacy-curated-transformers.LastTransformerLayerListener.v1"
width = 32
pooling = {{"@layers": "reduce_mean.v1"}}
upstream = "transformer"

[initialize]

[initialize.components]

[initialize.components.transformer]

[initialize.components.transformer.piecer_loader]
@model_loaders = "spacy-curated-transformers.WordpieceLoader.v1"
path = "{vocabulary}"
"""
TEXTS = [
    Text("1", "The British man slept. He is an actor and she is a nurse."),
    Text("2", "A woman gave the British actor his book! Nobody saw the man."),
    Text("3", "My British friends met a man, his mother and an old woman in the garden."),
]
PAIRS = word_pairs(
    [
        "body:actor>wheelchair user",
        "gender:his>her",
        "gender:man>woman",
        "gender:woman>girl",
        "race:British>African American",
        "race:British>Thai",
    ]
)


def _randomise(pipeline: Language) -> None:
    generator = np.random.default_rng(1)
    for name in ("tagger", "parser"):
        for node in pipeline.get_pipe(name).model.walk():
            for parameter in node.param_names:
                if node.has_param(parameter):
                    shape = node.get_param(parameter).shape
                    values = generator.normal(size=shape).astype(np.float32)
                    node.set_param(parameter, values)


@pytest.fixture(scope="module")
def transformer_folder(
    resources: Path, parser_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the folder of the pipeline."""
    vocabulary = resources / "all_minilm_l6_v2" / "vocab.txt"
    config = load_config_from_str(CONFIG.format(vocabulary=vocabulary))
    pipeline = load_model_from_config(config, auto_fill=True)
    trained = spacy.load(parser_folder)
    examples = [Example(pipeline.make_doc(text.text), trained(text.text)) for text in TEXTS]
    pipeline.initialize(lambda: examples)
    _randomise(pipeline)
    folder = tmp_path_factory.mktemp("pipeline")
    pipeline.to_disk(folder)
    return folder


def test_parses_in_stages_are_those_of_the_whole_pipeline(transformer_folder: Path) -> None:
    pipeline = spacy.load(transformer_folder)
    sentences = [text.text for text in TEXTS]
    parses = list(Parser(transformer_folder, batch_size=2).parse(sentences))
    docs = [pipeline(sentence) for sentence in sentences]
    assert [parse.tags for parse in parses] == [[token.tag for token in doc] for doc in docs]
    assert [parse.labels for parse in parses] == [[token.dep for token in doc] for doc in docs]
    assert [parse.heads for parse in parses] == [[token.head.i for token in doc] for doc in docs]
    assert len({tag for parse in parses for tag in parse.tags}) > 1


@pytest.mark.parametrize("comparator", Comparator)
def test_verdicts_are_literal(
    comparator: Comparator, transformer_folder: Path, tmp_path: Path
) -> None:
    parser = Parser(transformer_folder)
    store = CheckStore(tmp_path, parser=parser, comparator=comparator)
    index = DictionaryIndex(PAIRS)
    checked = list(
        check_block(
            TEXTS,
            operating=Literal(index),
            orders=[1, 2, 3],
            invariant=Invariant(parser, comparator, store),
        )
    )
    rows = list_orders(checked, orders=[1, 2, 3], index=index).to_pylist()
    check = LiteralCheck(RememberingParser(parser), comparator.value)
    answers = literal_answers(TEXTS, pairs=PAIRS, orders=[1, 2, 3], check=check)
    assert {row["mutant_id"]: row["reason"] or "valid" for row in rows} == {
        mutant_id: mutant.reason for mutant_id, mutant in answers.items()
    }
    assert {row["order"] for row in rows} == {1, 2, 3}


def test_its_fingerprint_is_its_own(transformer_folder: Path, parser: Parser) -> None:
    first, second = Parser(transformer_folder), Parser(transformer_folder)
    assert first.fingerprint == second.fingerprint != parser.fingerprint
