"""HInter: find hidden intersectional bias in language models.

Each folder is a package. Its `__init__.py` is its public interface, and it imports only from the
packages above it:

    config        the sheets of a study as typed models, and their errors
    resources     corpora, models and programs, fetched from their sources and verified
    dictionary    the terms of sensitive attributes, and the word pairs made from them
    corpora       texts with their ids, labels and splits, and the prompts about them
    mutation      the source terms in a text, its mutants, and their texts
    invariant     the check whether a mutant keeps the structure of its original
    mutants       files of mutants: listed, counted or sampled
    assessments   mutants to annotate, their annotations, and the comparators' checks on them
    responses     the store of answers of models and servers, which are never asked twice
    augmentation  counterfactuals of its own texts that are added to a training split
    controls      neutral edits, matched to the mutants that they are compared with
    models        the models under test: encoders, local language models and endpoints
    predictions   a model's outcomes on a suite, computed here or elsewhere, and their cost
    oracle        the suite, and which of its mutants are biased and hidden
    trying        direct output in the terminal about a user's texts, datasets and models
    cases         a closer look at biased mutants: do they recur, and which edits suffice?
    probes        prompts with counterfactuals, and the hits among the answers to them
    relations     prompts about people, rewritten by metamorphic relations
    grammar       LanguageTool's scores of originals and mutants
    statistics    intervals, tests and bootstraps
    tables        the study's tables, one or a few to a module
    gate          the decision whether one model may replace another
    figures       the study's figures, each plotted from tables
    report        the report of a study as one page, with its cases
    crate         a machine-readable description of the run, with the code that made it
    exports       records of evaluations and a dataset with its card, ready for publication
    study         the checked configuration: which models run on what, and where files are

The modules next to the packages serve all of them, or connect them for the rules.
"""
