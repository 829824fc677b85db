"""The files of a made-up study of two models on two datasets, by which tables are timed."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

MODELS, DATASETS = ("m", "n"), ("d", "e")
ATTRIBUTES = ("body", "gender", "race")
TARGETS = 12
"""Pairs per attribute and original: 36 atomic mutants and 432 of two attributes."""

NEUTRAL = "control:s>t0"
TEXT = "A body, a gender, a race and a control."
"""What each text begins with: the words that the pairs replace, which are the attributes' names."""
MUTANTS_PER_ORIGINAL = 505
"""Those, with controls that put one neutral pair in place of the last pair of each."""

MUTANTS = f"""
    WITH pairs AS (
        SELECT attribute, target, concat(attribute, ':', attribute, '>t', target) AS pair_id
        FROM (SELECT unnest({list(ATTRIBUTES)}) AS attribute), range({{targets}}) AS t(target)
    ),
    recipes AS (
        SELECT attribute AS attributes, [pair_id] AS pair_ids, false AS control FROM pairs
        UNION ALL
        SELECT concat(a.attribute, '+', b.attribute), [a.pair_id, b.pair_id], false
        FROM pairs AS a JOIN pairs AS b ON a.attribute < b.attribute
        UNION ALL SELECT 'control', ['{NEUTRAL}'], true
        UNION ALL SELECT concat(attribute, '+control'), [pair_id, '{NEUTRAL}'], true FROM pairs
    ),
    originals AS (
        SELECT printf('%016x', o) AS original_id, hash(o) % 997 < 400 AS fragile
        FROM range({{first}}, {{past}}) AS t(o)
    )
    SELECT concat(original_id, '|', array_to_string(pair_ids, '|')) AS mutant_id, original_id,
        len(pair_ids)::TINYINT AS "order", attributes, pair_ids,
        list_transform(pair_ids, lambda pair: {{{{
            'attribute': split_part(pair, ':', 1),
            'start': strpos('{TEXT}', split_part(pair, ':', 1)) - 1,
            'end': strpos('{TEXT}', split_part(pair, ':', 1)) - 1 + len(split_part(pair, ':', 1)),
            'role': 'term', 'text': split_part(pair, '>', 2)
        }}}}) AS edits,
        'literal' AS operator, CASE WHEN "order" > 1 THEN 'unknown' END AS one_person,
        control OR hash(mutant_id) % 10 < 9 AS valid, NULL::BOOLEAN AS sampled, control, fragile
    FROM originals, recipes ORDER BY original_id, "order", attributes, mutant_id
"""
VERDICTS = """
    WITH told AS (
        SELECT *, fragile AND hash('{model}', original_id, pair_ids[1]) % 100 < 6 AS first,
            "order" = 2 AND fragile AND hash('{model}', original_id, pair_ids[2]) % 100 < 6
                AS second,
            "order" = 2 AND fragile AND hash('{model}', mutant_id) % 100 < 20 AS changed
        FROM mutants
    )
    SELECT mutant_id, original_id, "order", attributes, pair_ids, operator, edits, one_person,
        valid, sampled, control, 'ok' AS status,
        "order" AS visible_order,
        CASE WHEN "order" = 1 THEN first ELSE changed END AS biased,
        (if(biased, -2, 0) + (hash(mutant_id) % 100)::INT / 100)::FLOAT AS shift,
        (1 + shift)::FLOAT AS margin, valid AND NOT control AS counted,
        hash(mutant_id) % 5 > 0 AS complete,
        CASE WHEN "order" = 2 THEN complete AND changed AND NOT first AND NOT second END AS hidden,
        list_concat(
            CASE WHEN first THEN pair_ids[:1] ELSE [] END,
            CASE WHEN second THEN pair_ids[2:] ELSE [] END,
            CASE WHEN changed AND NOT first AND NOT second
                THEN [array_to_string(pair_ids, '|')] ELSE [] END
        ) AS minimal_subsets
    FROM told
"""
PREDICTIONS = """
    SELECT mutant_id AS input_id, [CASE WHEN biased THEN 'n' ELSE 'p' END] AS outcome, status,
        NULL::VARCHAR AS answer, MAP {{'n': -1 - shift, 'p': 1 + shift}} AS scores, visible_order,
        md5(mutant_id) AS input_hash
    FROM read_parquet('{verdicts}')
    UNION ALL
    SELECT original_id, ['p'], 'ok', NULL, MAP {{'n': -1, 'p': 1}}, 0::TINYINT, md5(original_id)
    FROM corpus
    ORDER BY input_id
"""
CONTROLS = f"""
    SELECT mutant_id, concat_ws(
        '|', original_id, array_to_string(list_append(pair_ids[:-2], '{NEUTRAL}'), '|')
    ) AS control_id, pair_ids[-1] AS pair_id, '{NEUTRAL}' AS control_pair_id,
        0 AS more_places, false AS other_class, 10 AS distance, NULL::VARCHAR AS neutral_id
    FROM mutants WHERE valid AND NOT control ORDER BY original_id, mutant_id
"""
COMPARATORS = """
    SELECT mutant_id, if(valid, 'valid', 'pos') AS tolerant, if(hash(mutant_id) % 10 < 7, 'valid',
        'dep') AS strict, if(hash(mutant_id) % 10 < 6, 'valid', 'dep') AS heads
    FROM mutants
"""
COUNTS = """
    SELECT original_id, "order", attributes, if(valid, NULL, 'pos') AS reason, count(*) AS mutants
    FROM mutants WHERE NOT control GROUP BY ALL ORDER BY ALL
"""
ASSESSED = """
    SELECT 'comparators' AS sample, 'imdb' AS dataset, 'development' AS half,
        mutant_id, original_id, "order", 1.0 AS weight, hash(mutant_id) % 2 = 0 AS sound,
        sound AS grammar, sound AS meaning,
        if(valid, 'valid', 'pos') AS tolerant, tolerant AS strict, tolerant AS heads
    FROM mutants WHERE NOT control ORDER BY hash(mutant_id) LIMIT 300
"""
CORPUS = """
    SELECT DISTINCT original_id, if(hash(original_id) % 5 = 0, 'held_out', 'tested') AS split,
        'A body and a gender and a race.' AS text, ['p'] AS labels
    FROM mutants
"""
PAIRS = """
    SELECT DISTINCT unnest(pair_ids) AS pair_id, split_part(pair_id, ':', 1) AS attribute,
        attribute AS source_group, concat('g', split_part(pair_id, '>t', 2)::INT % 6)
            AS target_group, attribute AS source, split_part(pair_id, '>', 2) AS target
    FROM mutants ORDER BY pair_id
"""


def make_study(folder: Path, *, rows: int) -> int:
    """Write the files of the study and return the number of verdicts."""
    originals = rows // len(MODELS) // len(DATASETS) // MUTANTS_PER_ORIGINAL
    return sum(
        make_dataset(folder, dataset=dataset, models=MODELS, originals=originals)
        for dataset in DATASETS
    )


def make_dataset(folder: Path, *, dataset: str, models: Sequence[str], originals: int) -> int:
    """Write the files of one dataset of the study and return the number of verdicts."""
    connection = duckdb.connect()
    made = MUTANTS.format(first=0, past=originals, targets=TARGETS)
    connection.execute(f"CREATE TABLE mutants AS {made}")
    connection.execute(f"CREATE TABLE corpus AS {CORPUS}")
    queries = {
        "counts": COUNTS,
        "comparators": COMPARATORS,
        "controls": CONTROLS,
        "suites": "FROM mutants",
    }
    files = {f"{kind}/{dataset}": query for kind, query in queries.items()}
    files |= {f"corpora/{dataset}": "FROM corpus"}
    for model in models:
        verdicts = folder / "verdicts" / model / f"{dataset}.parquet"
        files[f"verdicts/{model}/{dataset}"] = VERDICTS.format(model=model)
        files[f"predictions/{model}/{dataset}"] = PREDICTIONS.format(verdicts=verdicts)
    for file, query in files.items():
        path = folder / f"{file}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
    connection.execute(f"COPY ({ASSESSED}) TO '{folder / 'assessed.parquet'}'")
    connection.execute(f"COPY ({PAIRS}) TO '{folder / 'pairs.csv'}'")
    return len(models) * originals * MUTANTS_PER_ORIGINAL
