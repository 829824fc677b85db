"""What is told of a model: its name on the hub, or that it has none there."""

from typing import Any

import pytest
from hinter.exports.subjects import generation_config, model_folder, model_info

LIBRARIES = {"torch": "2", "transformers": "5"}


def _origin(*, repository: str | None = None, **sheet: Any) -> dict[str, Any]:
    plain = {"about": "a model", "kind": "causal"}
    return {"sheet": plain | sheet, "repository": repository}


@pytest.mark.parametrize(
    ("origin", "identifier"),
    [
        (_origin(repository="maker/model"), "maker/model"),
        (
            _origin(repository="maker/model", kind="encoder", fine_tuning={"epochs": 1}),
            "unlisted/m",
        ),
        (_origin(folder="/home/somebody/model"), "unlisted/m"),
        (_origin(kind="endpoint", model="maker/model"), "maker/model"),
        (_origin(kind="endpoint", model="gpt-x"), "unlisted/m"),
        (_origin(kind="endpoint", model="/models/gpt x"), "unlisted/m"),
        (_origin(kind="endpoint", model="../model"), "unlisted/m"),
        (_origin(kind="python", function="a:b"), "unlisted/m"),
    ],
)
def test_a_model_has_the_name_of_its_weights_where_they_are_as_they_were(
    origin: dict[str, Any], identifier: str
) -> None:
    info = model_info("m", origin=origin, libraries=LIBRARIES)
    assert info["id"] == identifier
    assert info["developer"] == identifier.split("/")[0]
    assert model_folder(info["id"]) == identifier
    assert info["inference_engine"] == {"name": "transformers", "version": "5"}
    assert "somebody" not in str(info)


def test_a_fine_tuned_model_names_what_it_was_made_of() -> None:
    origin = _origin(repository="maker/model", fine_tuning={"epochs": 1})
    details = model_info("m", origin=origin, libraries={})["additional_details"]
    assert details["base_model"] == "maker/model"


@pytest.mark.parametrize(
    ("sheet", "arguments"),
    [
        ({"kind": "endpoint", "temperature": 0}, {"temperature": 0, "max_tokens": 4}),
        ({"answers": "generated"}, {"max_tokens": 4}),
        ({"answers": "scored"}, {}),
    ],
)
def test_how_it_was_asked_is_told_without_examples(
    sheet: dict[str, Any], arguments: dict[str, Any]
) -> None:
    prompt = {"instruction": "I ", "question": "{text}", "max_answer_tokens": 4, "examples": {}}
    told = generation_config(_origin(**sheet), prompt=prompt, study={"seed": "1"})
    assert told["generation_args"] == {"prompt_template": "I {text}", **arguments}
    assert told["additional_details"]["seed"] == "1"
