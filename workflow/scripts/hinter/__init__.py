"""HInter: find hidden intersectional bias in language models.

Each folder is a room with one door, its `__init__.py`, and imports only from the rooms above it:

    config        the sheets of a study as typed models, and the errors that they raise
    ladder        the rungs from a study to what the paper's authors' code does
    resources     corpora, models and programs, fetched from their sources and verified
    dictionary    the terms of sensitive attributes, and the word pairs made of them
    corpora       texts with their ids, labels and splits, and the prompts about them
    mutation      where source terms stand in a text, which mutants it has, and their texts
    invariant     which mutants keep the structure of their original
    mutants       mutants as files: listed, counted or drawn
    assessments   mutants to be read, what readers found, and the comparators' checks on them
    responses     the store of what models and servers answered, which never asks twice
    augmentation  texts that are added to a training split: counterfactuals of its own
    controls      neutral edits, matched to the mutants that they are compared with
    models        the models under test: encoders, local language models and endpoints
    predictions   a model's outcomes on a suite, given here or elsewhere, and what they will cost
    oracle        the suite, and which of its mutants are biased and hidden
    trying        in the terminal at once: texts of one's own, datasets, and models
    cases         biased mutants examined: do they hold, and which of their places suffice?
    probes        prompts with counterfactuals, and what the answers to them show
    relations     prompts about people, rewritten by metamorphic relations
    grammar       LanguageTool's scores of originals and mutants
    statistics    intervals, tests and bootstraps
    tables        the study's tables, each declared in a module of its own
    gate          whether a model may take the place of another one
    figures       the study's figures, each drawn from tables
    report        the page that tells what the study found, with its cases
    crate         the run described for programs, with the code that made it
    exports       records of evaluations and a dataset with its card, ready to be published
    study         the configuration, checked: what is run on what, and where its files are

The modules beside the rooms serve all of them, or join them for the rules.
"""
