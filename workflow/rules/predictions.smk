PLANS = result_files("plans", PAID_RUNS) + result_files("plans/judge", PAID_JUDGING)
PLANNED_CORPORA = [f"<results>/corpora/{dataset}.parquet" for _, dataset in PLANNED_RUNS]
PLANNED_SUITES = [study.suite(*run) for run in PLANNED_RUNS]
APPROVAL = "<results>/approval.json"


rule check_endpoint:
    """Check that an endpoint is up, accepts the key and has the model."""
    output:
        checked=temp("<results>/plans/{model}/endpoint.checked"),
    log:
        "<results>/logs/check_endpoint/{model}.log",
    wildcard_constraints:
        model=ENDPOINTS,
    # Before all other jobs, which may take hours.
    priority: 100
    localrule: True
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("check_endpoint.py"),
        settings=lambda wildcards: {
            "sheet": study.all_models[wildcards.model].model_dump(),
            "budget_usd": config["budget_usd"],
            "prices": study.prices,
            "store": study.response_store,
        },
    script:
        "../scripts/check_endpoint.py"


rule plan_calls:
    """Plan the calls of a model behind an endpoint, without making any."""
    input:
        corpus="<results>/corpora/{dataset}.parquet",
        suite=lambda wildcards: study.suite(wildcards.model, wildcards.dataset),
        model=lambda wildcards: study.model_source(wildcards.model),
        prompt=lambda wildcards: study.prompt(wildcards.dataset, wildcards.model),
    output:
        plan=temp("<results>/plans/{model}/{dataset}.parquet"),
    log:
        "<results>/logs/plan_calls/{model}/{dataset}.log",
    wildcard_constraints:
        model=ENDPOINTS,
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("plan_calls.py", *MODEL_MODULES),
        settings=lambda wildcards: {
            "asking": study.asking(wildcards.model, wildcards.dataset),
            "held_out": study.held_out(wildcards.model, wildcards.dataset),
            "prices": study.prices,
            "repeats": 1 if wildcards.dataset in study.probes else config["repeats"],
            "case_answers": config["case_answers"] if wildcards.dataset in study.datasets else 0,
        },
    script:
        "../scripts/plan_calls.py"


rule approve_plan:
    """Approve the planned calls, or refuse them if they may cost more than the budget."""
    input:
        collect("<results>/plans/{model}/endpoint.checked", model=PAID_MODELS),
        plans=PLANS,
        corpora=PLANNED_CORPORA,
        suites=PLANNED_SUITES,
    output:
        approval=temp(APPROVAL),
    log:
        "<results>/logs/approve_plan.log",
    localrule: True
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("approve_plan.py"),
        settings={
            "budget_usd": config["budget_usd"],
            "prices": study.prices,
            "seed": config["seed"],
            "store": study.response_store,
        },
    script:
        "../scripts/approve_plan.py"


rule plan:
    """Print what the study will cost and how much disk space it takes, before any model is run."""
    input:
        plans=PLANS,
        planned_suites=PLANNED_SUITES,
        corpora=[f"<results>/corpora/{name}.parquet" for name in study.asked],
        suites=[study.suite(*run) for run in study.all_runs()],
        mutants=result_files("mutants"),
        power=INPUTS["power"],
        # A result file has the same name as this table.
        matched="<results>/tables/controls.csv" if INPUTS["power"] else [],
    log:
        "<results>/logs/plan.log",
    localrule: True
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        settings=lambda wildcards: {
            "runs": [
                {
                    "model": model,
                    "dataset": dataset,
                    "held_out": study.held_out(model, dataset),
                    "discarded": study.models[model].discarded,
                    "labels": study.scored_labels(model, dataset),
                }
                for model, dataset in study.all_runs()
            ],
            "resources": {name: study.registry[name].megabytes for name in NEEDED_RESOURCES},
            "models": study.made_models(),
            "budget_usd": config["budget_usd"],
            "seed": config["seed"],
            "store": study.response_store,
            "inherited": INHERITED,
        },
    script:
        "../scripts/show_plan.py"


rule predict_suite:
    """Run a model on one shard of held-out texts, originals and mutants."""
    input:
        unpack(lambda wildcards: study.prediction_inputs(wildcards.model, wildcards.dataset)),
        # Ancient, as a new approval of a plan does not change existing answers.
        approval=lambda wildcards: ancient(APPROVAL) if wildcards.model in PAID_MODELS else [],
        corpus="<results>/corpora/{dataset}.parquet",
        suite=lambda wildcards: study.suite(wildcards.model, wildcards.dataset),
    output:
        predictions=temp("<results>/shards/{dataset}/{model}/{shard}-of-{shards}.parquet"),
    log:
        "<results>/logs/predict_suite/{model}/{dataset}/{shard}-of-{shards}.log",
    benchmark:
        "<results>/benchmarks/predict_suite/{model}/{dataset}/{shard}-of-{shards}.tsv"
    conda:
        "../../envs/models.yaml"
    threads: lambda wildcards: study.threads(wildcards.model)
    resources:
        gpu=lambda wildcards: study.gpus(wildcards.model),
        mem_mb=growing(7000),
        runtime=growing(480),
    params:
        code=code_of("predict_suite.py", *MODEL_MODULES),
        model=lambda wildcards: study.model_state(wildcards.model),
        settings=lambda wildcards: {
            "asking": study.asking(wildcards.model, wildcards.dataset),
            "held_out": study.held_out(wildcards.model, wildcards.dataset),
            "shard": int(wildcards.shard),
            "shards": int(wildcards.shards),
        },
    script:
        "../scripts/predict_suite.py"


rule export_suite:
    """Write the inputs of a model asked elsewhere: held-out texts, originals and mutants."""
    input:
        unpack(lambda wildcards: study.export_inputs(wildcards.dataset)),
        corpus="<results>/corpora/{dataset}.parquet",
        suite=lambda wildcards: study.suite(wildcards.model, wildcards.dataset),
    output:
        lines="<results>/exported/{model}/{dataset}.jsonl",
        table="<results>/exported/{model}/{dataset}.parquet",
    log:
        "<results>/logs/export_suite/{model}/{dataset}.log",
    wildcard_constraints:
        model=ANSWERED,
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("export_suite.py"),
        settings=lambda wildcards: {
            "task": study.task(wildcards.dataset),
            "held_out": study.held_out(wildcards.model, wildcards.dataset),
            "discarded": study.models[wildcards.model].discarded,
        },
    script:
        "../scripts/export_suite.py"


rule read_answers:
    """Read the answers of a model that was asked elsewhere."""
    input:
        # If there are none yet, the job says so: Snakemake would use the tables of an earlier run.
        lambda wildcards: [
            path
            for path in [study.models[wildcards.model].files[wildcards.dataset]]
            if Path(path).is_file()
        ],
        unpack(lambda wildcards: study.export_inputs(wildcards.dataset)),
        exported="<results>/exported/{model}/{dataset}.parquet",
        corpus="<results>/corpora/{dataset}.parquet",
        suite=lambda wildcards: study.suite(wildcards.model, wildcards.dataset),
    output:
        predictions="<results>/predictions/{model}/{dataset}.parquet",
    log:
        "<results>/logs/read_answers/{model}/{dataset}.log",
    wildcard_constraints:
        model=ANSWERED,
    # Before all other jobs, which may take hours.
    priority: 100
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("read_answers.py"),
        settings=lambda wildcards: {
            "task": study.task(wildcards.dataset),
            "held_out": study.held_out(wildcards.model, wildcards.dataset),
            "answers": study.models[wildcards.model].files[wildcards.dataset],
            "discarded": study.models[wildcards.model].discarded,
        },
    script:
        "../scripts/read_answers.py"


rule gather_predictions:
    """Merge the shards of a model's predictions."""
    input:
        shards=lambda wildcards: collect(
            "<results>/shards/{dataset}/{model}/{shard}-of-{shards}.parquet",
            dataset=wildcards.dataset,
            model=wildcards.model,
            shards=study.models[wildcards.model].shards,
            shard=range(1, study.models[wildcards.model].shards + 1),
        ),
    output:
        gathered="<results>/predictions/{model}/{dataset}.parquet",
    log:
        "<results>/logs/gather_predictions/{model}/{dataset}.log",
    wildcard_constraints:
        model=f"(?!({ANSWERED})/)[^/]+",
    group:
        "verdicts"
    conda:
        "../../envs/parsing.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("gather_shards.py"),
    script:
        "../scripts/gather_shards.py"


rule repeat_originals:
    """Ask a model behind an endpoint about each original several times."""
    input:
        # Predictions give the first answers: if both ran at once, one would wait for the other.
        "<results>/predictions/{model}/{dataset}.parquet",
        corpus="<results>/corpora/{dataset}.parquet",
        suite=lambda wildcards: study.suite(wildcards.model, wildcards.dataset),
        model=lambda wildcards: study.model_source(wildcards.model),
        prompt=lambda wildcards: study.prompt(wildcards.dataset, wildcards.model),
        approval=ancient(APPROVAL),
    output:
        answers="<results>/repeats/{model}/{dataset}.parquet",
    log:
        "<results>/logs/repeat_originals/{model}/{dataset}.log",
    benchmark:
        "<results>/benchmarks/repeat_originals/{model}/{dataset}.tsv"
    wildcard_constraints:
        model=ENDPOINTS,
    conda:
        "../../envs/models.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(480),
    params:
        code=code_of("repeat_originals.py", *MODEL_MODULES),
        settings=lambda wildcards: {
            "asking": study.asking(wildcards.model, wildcards.dataset),
            "repeats": config["repeats"],
        },
    script:
        "../scripts/repeat_originals.py"
