"""Files of answers say which model gave them."""

from pathlib import Path

import pyarrow.parquet as pq
import torch
import transformers
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.responses import read_source, source_metadata


def test_a_file_names_the_model_and_the_libraries_of_its_answers(tmp_path: Path) -> None:
    schema = PREDICTIONS_SCHEMA.with_metadata(source_metadata("f"))
    pq.write_table(schema.empty_table(), tmp_path / "told.parquet")
    libraries = {"torch": torch.__version__, "transformers": transformers.__version__}
    source = read_source(tmp_path / "told.parquet")
    assert source is not None
    assert source.fingerprint == "f"
    assert {name: libraries[name].split("+")[0] for name in libraries} == {
        name: number.split("+")[0] for name, number in source.libraries.items()
    }


def test_a_file_that_does_not_say_has_no_source(tmp_path: Path) -> None:
    pq.write_table(PREDICTIONS_SCHEMA.empty_table(), tmp_path / "untold.parquet")
    assert read_source(tmp_path / "untold.parquet") is None
