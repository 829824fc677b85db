"""What a study knows of its models and datasets, by the sheets of this project."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hinter.config import read_config
from hinter.errors import InputError
from hinter.study import Study, dataset_origins

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("config", "scored"),
    [
        ("config", {("minilm", "imdb"): 2, ("smollm2", "imdb"): 2}),
        (
            "paper",
            {
                ("bert", "ecthr_a"): 10,
                ("deberta", "scotus"): 14,
                ("roberta", "eurlex"): 100,
                ("llama2", "scotus"): 0,
                ("gpt-3.5", "scotus"): 0,
            },
        ),
    ],
)
def test_scores_of_all_labels_are_kept_of_models_that_choose_among_labels(
    config: str, scored: dict[tuple[str, str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    sheet = yaml.safe_load(Path(f"config/{config}.yaml").read_text(encoding="utf-8"))
    study = Study(read_config(sheet))
    assert {run: study.scored_labels(*run) for run in scored} == scored
    for model, dataset in scored:
        study.models[model] = study.models[model].model_copy(update={"scores": False})
        assert study.scored_labels(model, dataset) == 0


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"orders": [1]}, False),
        ({"orders": [1, 2]}, True),
        ({"orders": [1], "sample": {"orders": [2], "mutants": 9}}, True),
    ],
)
def test_literal_mutants_of_several_attributes_need_words_that_tell_persons_apart(
    settings: dict[str, object], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    sheet = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))
    literal = {"mutation": {"operators": ["literal"], "occurrences": []}}
    [found] = Study(read_config(sheet | literal | settings)).mutation()
    assert found["lists"] is None
    assert bool(found["words"]) is told
    assert not told or "person" in found["words"]["people"]


def test_encoders_or_the_named_models_that_run_here_climb_the_ablation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    sheet = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))

    def climbing(**ablation: object) -> list[tuple[str, str]]:
        return Study(read_config(sheet | {"ablation": ablation})).ablation_runs()

    assert climbing() == [("minilm", "imdb")]
    assert climbing(models=["smollm2"]) == [("smollm2", "imdb")]
    assert climbing(models=[]) == []
    with pytest.raises(
        InputError, match=r"'ablation.models': found 'bert'; expected one of minilm"
    ):
        climbing(models=["bert"])
    with pytest.raises(InputError, match=r"key 'ablation.pairs': found nothing at authors.csv"):
        climbing(pairs="authors.csv")


def test_a_gate_reads_verdicts_of_this_study_or_of_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    sheet = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))
    sheet |= {"limits": [{"models": ["smollm2"], "originals": 3}]}
    stored = tmp_path / "results" / "verdicts" / "old" / "imdb.parquet"
    stored.parent.mkdir(parents=True)
    stored.touch()

    def gated(**gate: object) -> Study:
        return Study(read_config(sheet | {"gate": gate}))

    here = gated(candidate="smollm2", baseline="minilm")
    assert here.gate_inputs() == {
        "candidate": ["results/verdicts/smollm2/imdb.parquet"],
        "baseline": ["results/verdicts/minilm/imdb.parquet"],
        "controls": ["results/controls/imdb.parquet"],
    }
    # Only one of them is run on a part of the suite.
    assert here.gating()["limited"] == ["imdb"]
    other = gated(candidate="minilm", baseline="old", baseline_folder=str(tmp_path))
    assert other.gate_inputs()["baseline"] == [str(stored)]
    assert other.gating()["names"] == ["minilm", f"old of {tmp_path}"]
    assert other.gating()["limited"] == []
    with pytest.raises(InputError, match="key 'gate': found no candidate"):
        Study(read_config(sheet)).gating()


def _probing(**config: object) -> Study:
    sheet = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))
    probed = yaml.safe_load(Path("config/probes.yaml").read_text(encoding="utf-8"))
    return Study(read_config(sheet | probed | config))


def test_a_probe_asks_the_models_that_answer_as_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study = _probing()
    income = [("minilm", "gender_income"), ("smollm2", "gender_income")]
    assert study.probe_runs() == [*income, ("smollm2-chat", "professional")]
    assert study.probe_runs("encoder") == income[:1]
    assert study.runs() == []
    assert study.scored_labels("smollm2", "gender_income") == 2
    assert study.task("professional")["labels"][:2] == ["doctor", "nurse"]
    # Limits are of datasets.
    limited = _probing(limits=[{"models": ["minilm"], "originals": 3}])
    assert limited.suite("minilm", "gender_income").endswith("results/suites/gender_income.parquet")
    both = _probing(datasets=["imdb"])
    assert both.runs() == [("minilm", "imdb"), ("smollm2", "imdb")]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"probes": []}, "'probes' and 'relations.raters': found no names; expected at least one"),
        ({"probes": ["unknown"]}, "config/probes/unknown.yaml"),
        ({"models": ["minilm"]}, "key 'probes', 'professional': found no model of this study"),
        ({"models": ["minilm", "smollm2"]}, "'professional': found no model of this study"),
    ],
)
def test_a_study_that_asks_nothing_is_refused(
    config: dict[str, list[str]], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(InputError, match=said):
        _probing(**config)


def test_a_judge_reads_the_answers_in_words_of_all_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    models = ["minilm", "smollm2-chat", "gpt-3.5"]
    study = _probing(models=models, judge={"model": "gpt-4"})
    judged = [("smollm2-chat", "professional"), ("gpt-3.5", "gender_income")]
    judged.append(("gpt-3.5", "professional"))
    assert study.judged_runs() == judged
    assert study.judge_runs("endpoint") == [("gpt-4", "professional"), ("gpt-4", "gender_income")]
    assert study.judge_runs("causal") == []
    folder = "studies/probes/results"
    for model, probe in study.probe_runs():
        place = "judged" if (model, probe) in judged else "predictions"
        assert study.answers(model, probe) == f"{folder}/{place}/{model}/{probe}.parquet"
    assert study.model_folder("gpt-4", "professional") == "resources/cl100k_base"
    assert study.judging("professional")["sheet"]["model"] == "gpt-4-0613"
    assert study.judging("professional")["labels"] == study.probes["professional"].labels
    assert study.meets(["judge"]) and "gpt-4" not in study.models
    # One that runs here is converted for it.
    here = _probing(models=["minilm", "gpt-3.5"], judge={"model": "smollm2-chat"})
    made = f"{folder}/models/smollm2-chat/gguf.converted"
    assert here.model_folder("smollm2-chat", "professional") == made and made in here.made_models()
    assert "smollm2_135m_instruct" in here.needed_resources()


def test_weights_that_models_share_are_converted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study = _probing()
    converted = study.model_folder("smollm2", "gender_income")
    assert converted == "studies/probes/results/models/smollm2/gguf.converted"
    assert study.model_folder("smollm2-chat", "professional") == converted
    study.all_models["smollm2"] = study.all_models["smollm2"].model_copy(update={"gguf": "it.gguf"})
    assert study.model_folder("smollm2-chat", "professional") != converted


def test_without_a_judge_answers_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study = _probing()
    assert study.judged_runs() == study.judge_runs() == [] and not study.meets(["judge"])
    assert "/predictions/" in study.answers("smollm2-chat", "professional")
    with pytest.raises(InputError, match="key 'judge': found no judge; expected the model that"):
        study.judging("professional")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"judge": {"model": "minilm"}}, "'judge.model': found 'minilm'; expected one of smollm2-"),
        ({"judge": {"model": "smollm2"}}, "in config/models.yaml as a model that answers in words"),
        ({"judge": {"model": "gpt-9"}}, "key 'judge.model': found 'gpt-9'; expected one of "),
        ({"judge": {"model": "gpt-4", "prompt": "mine.yaml"}}, "'judge.prompt': found nothing at"),
        (
            {"judge": {"model": "gpt-4"}, "probes": ["gender_income"], "models": ["minilm"]},
            "key 'judge': found no answers that it can judge; expected a probe, and a model",
        ),
    ],
)
def test_a_judge_that_cannot_judge_is_refused(
    config: dict[str, object], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(InputError, match=said):
        _probing(**config)


def test_a_judge_needs_a_price_where_there_is_a_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    prices = tmp_path / "prices.yaml"
    prices.write_text("{}")
    with pytest.raises(InputError, match=r"no price for 'gpt-4-0613' \(the model 'gpt-4-j"):
        _probing(judge={"model": "gpt-4-judge"}, budget_usd=1, prices_sheet=str(prices))


def _relating(config: dict[str, object] | None = None, **relations: object) -> Study:
    sheet = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))
    sheet |= yaml.safe_load(Path("config/relations.yaml").read_text(encoding="utf-8"))
    sheet |= {"relations": sheet["relations"] | relations}
    return Study(read_config(sheet | (config or {})))


def test_relations_ask_the_models_that_answer_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study = _relating({"models": ["smollm2-chat", "smollm2"], "datasets": ["imdb"]})
    asked = [("smollm2-chat", "relations")]
    assert study.relation_runs() == asked and study.relation_runs("endpoint") == []
    assert study.all_runs() == [("smollm2", "imdb"), *asked]
    assert study.task("relations") == {"labels": [], "multi_label": False}
    assert study.scored_labels(*asked[0]) == 0
    limited = _relating({"limits": [{"models": ["smollm2-chat"], "originals": 3}]})
    assert limited.suite(*asked[0]).endswith("results/suites/relations.parquet")
    assert _relating({"datasets": ["imdb"], "models": ["minilm"]}, raters={}).relation_runs() == []


def test_raters_are_encoders_that_answer_nothing_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    study = _relating()
    rated = [("smollm2-chat", f"relations_{metric}") for metric in ("sentiment", "tone")]
    assert study.rated_runs() == rated and study.runs() == []
    assert study.suite(*rated[1]) == study.suite("smollm2-chat", "relations")
    assert list(study.asked) == ["imdb", "tones", "relations"]
    raters = [("minilm-rater", "imdb"), ("minilm-rater", "tones")]
    assert study.trained(study.rater_runs()) == raters
    folder = "studies/relations/results/models/minilm-rater/tones"
    assert study.model_folder("minilm-rater", "tones") == folder
    assert study.rating("relations_tone")["labels"] == [
        *("angry", "fear", "happy", "sad", "surprised")
    ]
    assert "all_minilm_l6_v2" in study.needed_resources() and folder in study.made_models()


def test_faults_are_compared_with_noise_where_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    known = ["rated answers", "repeats of all prompts"]
    assert _relating().meets(known)
    # Models behind endpoints may answer otherwise when asked again.
    varying: dict[str, object] = {"models": ["gpt-4"]}
    assert not _relating(varying).meets(known)
    assert _relating(varying | {"repeats": 2}).meets(known)


@pytest.mark.parametrize(
    ("config", "relations", "said"),
    [
        (
            {"models": ["smollm2-chat", "smollm2"]},
            {},
            "'smollm2', key 'datasets': found no dataset",
        ),
        (
            {"models": ["minilm"], "datasets": ["imdb"]},
            {},
            "key 'relations.raters': found no model of this study whose answers",
        ),
        (
            {},
            {"raters": {"tone": {"model": "smollm2", "dataset": "imdb"}}},
            "'relations.raters.tone.model': found 'smollm2'; expected one of minilm",
        ),
        (
            {},
            {"raters": {"tone": {"model": "minilm", "dataset": "moods"}}},
            "'relations.raters.tone.dataset': found 'moods'; expected one of imdb",
        ),
        ({}, {"prompts": "mine.yaml"}, "'relations.prompts': found nothing at"),
    ],
)
def test_relations_that_cannot_be_rated_are_refused(
    config: dict[str, object],
    relations: dict[str, object],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(InputError, match=said):
        _relating(config, **relations)


def test_texts_are_passed_on_where_the_registry_or_the_sheet_permits_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    sheet = yaml.safe_load(Path("config/datasets.yaml").read_text(encoding="utf-8"))
    for name in ("free", "unlicensed"):
        sheet[name] = {**sheet["tones"], "prompt": "config/prompts/imdb.yaml"}
        del sheet[name]["licence"], sheet[name]["redistribute"]
    sheet["free"] |= {"licence": "CC0-1.0", "redistribute": True}
    (tmp_path / "datasets.yaml").write_text(yaml.safe_dump(sheet), encoding="utf-8")
    config = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8")) | {
        "datasets_sheet": str(tmp_path / "datasets.yaml"),
        "datasets": ["imdb", "imdb_50k", "scotus", "tones", "free", "unlicensed"],
        "models": ["minilm"],
    }
    sources = dataset_origins(Study(read_config(config)))
    assert {name: source["redistribute"] for name, source in sources.items()} == {
        "imdb": False,
        "imdb_50k": False,
        "scotus": True,
        "tones": True,
        "free": True,
        "unlicensed": False,
    }
    assert sources["free"]["licence"] == "CC0-1.0"
    assert sources["unlicensed"]["licence"] is None
    assert sources["scotus"]["urls"] == ["https://zenodo.org/record/5532997/files/scotus.tar.gz"]


def test_a_model_of_several_seeds_is_run_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    sheet = yaml.safe_load(Path("config/models.yaml").read_text(encoding="utf-8"))
    with_seeds = {**sheet["minilm"], "fine_tuning": {**sheet["minilm"]["fine_tuning"], "seeds": 3}}
    config = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))
    limit = {"models": ["minilm"], "originals": 5}
    plain = Study(read_config({**config, "models": ["minilm"], "limits": [limit]}))
    assert list(plain.models) == ["minilm"] and not plain.meets(["several seeds or prompts"])
    with TemporaryDirectory() as folder:
        models = Path(folder, "models.yaml")
        models.write_text(yaml.safe_dump({"minilm": with_seeds}), encoding="utf-8")
        settings = {"models_sheet": str(models), "models": ["minilm"], "limits": [limit]}
        study = Study(read_config({**config, **settings}))
    names = ["minilm", "minilm.seed2", "minilm.seed3"]
    assert list(study.models) == names and study.meets(["several seeds or prompts"])
    assert [study.copy_number(name) for name in names] == [0, 1, 2]
    assert [study.training(name) for name in names] == [plain.training("minilm")] * 3
    assert [study.suite_limits(name, "imdb") for name in names] == [
        plain.suite_limits("minilm", "imdb")
    ] * 3
    assert study.trained(study.runs()) == [(name, "imdb") for name in names]


def _prompted(monkeypatch: pytest.MonkeyPatch, folder: Path, **keys: Any) -> Study:
    """Return the default study with a second wording, and these keys in the entry of SmolLM2."""
    monkeypatch.chdir(ROOT)
    sheets = {
        name: yaml.safe_load(Path(f"config/{name}.yaml").read_text(encoding="utf-8"))
        for name in ("models", "datasets", "config")
    }
    wording = folder / "wording.yaml"
    wording.write_bytes(Path("config/prompts/imdb.yaml").read_bytes())
    sheets["datasets"]["imdb"]["more_prompts"] = [str(wording)]
    sheets["models"]["smollm2"] |= keys
    for name in ("models", "datasets"):
        path = folder / f"{name}.yaml"
        path.write_text(yaml.safe_dump(sheets[name]), encoding="utf-8")
        sheets["config"][f"{name}_sheet"] = str(path)
    return Study(read_config({**sheets["config"], "models": ["smollm2"], "limits": []}))


def test_a_model_of_several_prompts_is_asked_with_each_wording_and_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    study = _prompted(monkeypatch, tmp_path, prompts=4)
    names = ["smollm2", "smollm2.prompt2", "smollm2.prompt3", "smollm2.prompt4"]
    assert study.runs() == [(name, "imdb") for name in names]
    assert study.meets(["several seeds or prompts"])
    files = ["imdb.yaml", "wording.yaml"] * 2
    inputs = [study.prediction_inputs(name, "imdb") for name in names]
    assert [Path(given["prompt"]).name for given in inputs] == files
    assert len({given["model"] for given in inputs}) == 1
    assert len({given["offsets"] for given in inputs}) == 4
    rotations = [study.asking(name, "imdb")["task"].get("rotation") for name in names]
    assert rotations == [None, None, 1, 1]
    alone = _prompted(monkeypatch, tmp_path)
    assert study.asking("smollm2", "imdb") == alone.asking("smollm2", "imdb")
    assert alone.runs() == [("smollm2", "imdb")]


def test_more_prompts_than_there_are_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    examples = len(yaml.safe_load((ROOT / "config/prompts/imdb.yaml").read_text())["examples"])
    assert len(_prompted(monkeypatch, tmp_path, prompts=2 * examples).runs()) == 2 * examples
    with pytest.raises(InputError, match=f"at most {2 * examples}: prompt files of 'imdb' times"):
        _prompted(monkeypatch, tmp_path, prompts=2 * examples + 1)


def test_a_lenient_study_notes_the_faults_of_models_and_checks_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    endpoint = {"about": "a", "kind": "endpoint", "base_url": "http://localhost:1", "model": "m"}
    sheet = {
        "minilm": yaml.safe_load(Path("config/models.yaml").read_text(encoding="utf-8"))["minilm"],
        "absent": {"about": "b", "kind": "encoder", "folder": "nowhere"},
        "theirs": {**endpoint, "tokenizer": "cl100k_base"},
        "elsewhere": {"about": "c", "kind": "answers", "files": {"scotus": "answers.csv"}},
    }
    models = tmp_path / "models.yaml"
    models.write_text(yaml.safe_dump(sheet), encoding="utf-8")
    config = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))
    settings = {"models_sheet": str(models), "models": [*sheet], "limits": [], "budget_usd": 1}
    configuration = read_config({**config, **settings})
    with pytest.raises(InputError, match="'absent', key 'folder': found nothing at nowhere"):
        Study(configuration)
    study = Study(configuration, lenient=True)
    assert set(study.faults) == {"absent", "theirs", "elsewhere"}
    entries = {entry["name"]: entry for entry in study.checked()}
    assert list(entries) == [*sheet]
    assert "no price for 'm'" in entries["theirs"]["fault"]
    assert "no file for 'imdb'" in entries["elsewhere"]["fault"]
    checked = entries["minilm"]
    assert (checked["fault"], checked["source"]) == (None, "resources/all_minilm_l6_v2")
    assert checked["folder"] == "results/models/minilm/imdb"
    assert checked["asking"] == study.asking("minilm", "imdb")
    config["model"] = "minilm"
    alone = Study(read_config({**config, **settings}), lenient=True)
    assert [entry["name"] for entry in alone.checked()] == ["minilm"]
