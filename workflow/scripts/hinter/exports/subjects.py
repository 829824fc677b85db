"""The description in records of a model and how it was asked, without private paths or keys."""

import re
from collections.abc import Mapping
from typing import Any

UNLISTED = "unlisted"
"""The developer of a model whose weights have no name on the hub."""
SETTINGS = (
    *("answers", "answer_prefix", "chat", "context_tokens", "dtype", "fine_tuning", "kind"),
    *("max_tokens", "scores", "version"),
)
"""Keys of the models sheet that say how a model answers, and nothing about its owner."""


def model_info(
    name: str, *, origin: Mapping[str, Any], libraries: Mapping[str, str]
) -> dict[str, Any]:
    """Return the `model_info` of a model of the study.

    `origin` has its `sheet` and the `repository` of its weights on the hub, if any. `libraries` are
    those in the metadata of its predictions, with versions. A model that was fine-tuned here is
    not the same as that of the repository.
    """
    sheet, repository = origin["sheet"], origin["repository"]
    tuned = sheet.get("fine_tuning") is not None
    named = repository or sheet.get("model") or ""
    # The model of an endpoint may have a developer in its name.
    known = not tuned and (repository or re.fullmatch(r"[\w.-]*\w/[\w.-]*\w", named))
    identifier = named if known else f"{UNLISTED}/{name}"
    details = {
        "about": sheet["about"],
        "deployment_type": "unknown"
        if sheet["kind"] in ("answers", "endpoint")
        else "self_deployed",
        "model_availability": "open_weights" if repository else "unknown",
        **({"base_model": repository} if tuned and repository else {}),
        **({"weights": sheet["gguf"]} if sheet.get("gguf") else {}),
    }
    version = libraries.get("transformers")
    engine = {"inference_engine": {"name": "transformers", "version": version}} if version else {}
    return {
        "name": name,
        "id": identifier,
        "developer": identifier.split("/")[0],
        **engine,
        "additional_details": details,
    }


def model_folder(identifier: str) -> str:
    """Return the folders of a model in the datastore: developer and name."""
    developer, _, name = identifier.partition("/")
    return f"{developer}/{name.replace('/', '_')}"


def generation_config(
    origin: Mapping[str, Any], *, prompt: Mapping[str, Any] | None, study: Mapping[str, str]
) -> dict[str, Any]:
    """Return the `generation_config`: how a model was asked, with the `prompt` sheet, if any.

    `study` has settings of the whole study. The texts of few-shot examples are left out.
    """
    sheet = origin["sheet"]
    arguments: dict[str, Any] = {}
    if sheet.get("temperature") is not None:
        arguments["temperature"] = sheet["temperature"]
    if prompt is not None:
        arguments["prompt_template"] = prompt["instruction"] + prompt["question"]
        if sheet.get("answers") != "scored":
            arguments["max_tokens"] = prompt["max_answer_tokens"]
    details = {key: str(sheet[key]) for key in SETTINGS if sheet.get(key) is not None}
    return {"generation_args": arguments, "additional_details": {**study, **details}}
