rule fetch_resource:
    """Fetch one resource of the registry, from the first of its sources that works."""
    output:
        folder=update(directory("<resources>/{resource}")),
    log:
        "<results>/logs/fetch_resource/{resource}.log",
    localrule: True
    conda:
        "../../envs/data.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(480),
    # No digest of the code, as the bytes are those of the registry with any code.
    params:
        settings=lambda wildcards: {"registry": locate(REGISTRY), "name": wildcards.resource},
    script:
        "../scripts/fetch_resource.py"
