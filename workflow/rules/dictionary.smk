rule count_posts:
    """Count the posts of SBIC's groups again, if SBIC is present."""
    input:
        sources=lambda wildcards: study.sbic_sources(),
    output:
        posts="<results>/dictionary/group_posts.csv",
    log:
        "<results>/logs/count_posts.log",
    localrule: True
    conda:
        "../../envs/data.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("count_posts.py"),
    script:
        "../scripts/count_posts.py"


rule build_dictionary:
    """Build groups and word pairs from the curation files, or from pairs of the user's own."""
    input:
        # Only their content counts, not their dates, as a comment changes no pair.
        dictionary=ancient(study.curations()["dictionary"]),
        descriptors=ancient(study.curations()["descriptors"]),
        posts=study.group_posts(),
        own=config["pairs"] or [],
        own_groups=ancient(config["own_groups"]),
        persons=ancient(study.persons() or []),
    output:
        groups="<results>/dictionary/groups.csv",
        pairs="<results>/dictionary/pairs.csv",
    log:
        "<results>/logs/build_dictionary.log",
    localrule: True
    conda:
        "../../envs/data.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("build_dictionary.py"),
        curations=lambda wildcards: study.curation_state(),
        settings={
            "attributes": config["attributes"],
            "merged": config["merged"],
            "operators": config["mutation"]["operators"],
        },
    script:
        "../scripts/build_dictionary.py"


rule list_names:
    """List the group names in SBIC by posts, with the terms that match each, unmatched first."""
    input:
        curations=ancient(study.curations()["dictionary"]),
        posts=study.group_posts(),
    output:
        names="<results>/dictionary/names.csv",
    log:
        "<results>/logs/list_names.log",
    localrule: True
    conda:
        "../../envs/data.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        code=code_of("list_names.py"),
        curations=lambda wildcards: study.curation_state(),
    script:
        "../scripts/list_names.py"
