# Needs python3 (3.11 or newer, with pip and venv) and nothing else; the network only to fill .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
RUN := $(BIN)/python -m
PYTEST = BULLBEAR_DATABASE_POOL_SIZE=0 BULLBEAR_MODEL=bullbear-rehearsal OPENAI_BASE_URL=http://127.0.0.1:9/v1 \
  $(RUN) config.embedded.run -- $(RUN) pytest
export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := $(VENV)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo up test waiting computing mutants check

help:
	@echo "make demo    a dialogue from question to report, then stop everything"
	@echo "make up      everything in the foreground until Ctrl-C"
	@echo "make test    all tests, on private servers"
	@echo "make mutants each guard taken away from a copy, and the test that notices"
	@echo "make check   format, lint, types, imports, migrations"

demo: $(READY)
	@$(RUN) config.cli.main demo

up: $(READY)
	@exec $(RUN) config.cli.main up

# ARGS goes to pytest: make test ARGS="tests/stack -x".  Without it two runs share the work, each on private
# servers of its own: one mostly waits, for processes that it kills and stops, for locks and for a browser.
WAITING := $(addprefix tests/,admin crash machine outages races stack)
ifeq ($(ARGS),)
test: $(READY)
	@$(MAKE) --no-print-directory --jobs=2 waiting computing
else
test: $(READY)
	@$(PYTEST) $(ARGS)
endif

waiting:
	@$(PYTEST) $(WAITING)

computing:
	@$(PYTEST) $(addprefix --ignore ,$(WAITING))

# One guard after another is taken away from a copy, and its test must fail; ARGS: words of a name.
mutants: $(READY)
	@BULLBEAR_DATABASE_POOL_SIZE=0 BULLBEAR_MODEL=bullbear-rehearsal OPENAI_BASE_URL=http://127.0.0.1:9/v1 \
	  $(RUN) config.embedded.run -- $(RUN) tests.mutants $(ARGS)

check: $(READY)
	@$(RUN) ruff format --check .
	@$(RUN) ruff check .
	@$(RUN) mypy
	@$(BIN)/lint-imports
	@$(RUN) django makemigrations --check --dry-run --settings config.settings

$(READY): pyproject.toml uv.lock .ci/bootstrap.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "bullbear needs Python 3.11 or newer; $(PYTHON) is not. Name another: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { \
	  echo "$(PYTHON) has no venv or pip; on Debian: apt-get install python3-venv python3-pip" >&2; exit 1; }
	@$(BIN)/python -c '' 2>/dev/null || { rm -rf $(VENV); $(PYTHON) -m venv $(VENV); }
	@$(RUN) pip install --quiet --only-binary :all: --require-hashes --requirement .ci/bootstrap.txt
	@$(RUN) uv sync --quiet --locked --extra embedded --compile-bytecode
	@touch $@
