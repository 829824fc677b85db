# `make study` sets up and runs the default study; `make test` sets up and passes the tests;
# `make test-all` also passes those that only a release needs;
# `make rehearsal` runs the paper's study with tiny models on a few made-up texts;
# `make docs` writes the pages and schemas that the code makes; `make site` builds the site of docs/.

PYTHON ?= python3
CORES ?= all
UV_VERSION = 0.13.9
LOCK = requirements.txt

export PATH := $(CURDIR)/.venv/bin:$(PATH)

# Jobs are processes of their own, each of which would compile the library again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: study rehearsal test test-all check pytest pytest-all docs site lock

study: .venv/ready
	snakemake --cores $(CORES)

rehearsal: .venv/ready
	python data/rehearsal/rehearse.py --cores $(CORES)

# What is checked without running it needs one core for a minute, beside the tests.
test: .venv/ready
	$(MAKE) --jobs 2 check pytest

# Its last pass is noted by what it covers, for `.ci/run`.
test-all: .venv/ready
	$(MAKE) --jobs 2 check pytest-all
	.ci/covered >.ci/released

# Three processes take whole files of tests, those of whole studies first: on two cores, one of them
# usually waits for a server, a browser or Snakemake.
pytest: .venv/ready
	pytest --numprocesses 3 --no-loadscope-reorder -m "not release"

pytest-all: .venv/ready
	pytest --numprocesses 3 --no-loadscope-reorder

check: .venv/ready
	ruff format --check .
	ruff check .
	snakefmt --check Snakefile workflow
	mypy
	snakemake --lint

# The pages of docs/, the schemas of sheets and the container that the code makes.
# The container is described without conda; images are built where there is no GPU.
docs: .venv/ready
	PYTHONPATH=workflow/scripts python config/schemas/write_schemas.py
	PYTHONPATH=workflow/scripts python docs/write_pages.py
	PATH="$(CURDIR)/.tests/conda/bin:$$PATH" snakemake --containerize >docs/container/Dockerfile
	sed -i '1a ENV CONDA_OVERRIDE_CUDA=12.9' docs/container/Dockerfile

# The pages as a site in site/, which needs no network; `python -m http.server -d site` shows it.
# MkDocs warns of the end of its theme's support, which strictness does not concern.
site: .venv/ready
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet

# The exact versions of everything that pyproject.toml needs, and of LanguageTool's jars.
lock: .venv/ready
	uv pip compile pyproject.toml --group dev --python-version 3.11 --universal --upgrade --quiet \
	    --custom-compile-command "make lock" --output-file $(LOCK)
	PYTHONPATH=workflow/scripts python data/languagetool/lock_jars.py

# Bytecode is compiled here: if Python writes none, every job would compile all that it imports.
# Torch for Linux comes with CUDA, unless UV_TORCH_BACKEND=cpu selects the smaller build.
.venv/ready: $(LOCK)
	$(PYTHON) -c "import sys; sys.exit(sys.version_info[:2] != (3, 11) and 'Python 3.11 is needed, this is ' + sys.version + '; try: make PYTHON=python3.11')"
	$(PYTHON) -m venv .venv
	python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	grep -vE $(if $(filter cpu,$(UV_TORCH_BACKEND)),'^(nvidia|cuda|triton)','^$$') $(LOCK) > .venv/requirements.txt
	uv pip install --python .venv/bin/python --compile-bytecode --requirement .venv/requirements.txt
	touch $@
