# `make` alone lists the targets. None is needed: each is one short command.
.DEFAULT_GOAL := help
.PHONY: help check fix test bench torture demo lock clean

CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/handrail-dev
BIN := .venv/bin

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

check: ## Run every check, as continuous integration does
	@scripts/check.sh

fix: $(BIN)/prepared ## Format, repair what ruff can repair, write the schema of the events
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/python scripts/write_schema.py

test: $(BIN)/prepared ## Run the tests on the project's Python; ARGS="-k word" narrows them
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile $(ARGS)

bench: $(BIN)/prepared ## Run the benchmarks; fails when one misses its aim
	@failed=0; for program in $(filter-out bench/torture.py,$(wildcard bench/*.py)); do \
		echo "== $$program"; $(BIN)/python "$$program" || failed=1; \
	done; exit $$failed

torture: $(BIN)/prepared ## Kill 200 turns at random moments and go on; ARGS="--seed 7" repeats a run
	@$(BIN)/python bench/torture.py $(ARGS)

demo: $(BIN)/prepared ## Run `agent demo` from this checkout
	$(BIN)/agent demo

lock: ## Bring uv.lock up to date with pyproject.toml
	uv lock

clean: ## Remove build results and what the checks keep in the user's cache folder
	rm -rf dist build "$(CACHE)"
	find cli backends tests bench scripts -name __pycache__ -type d -exec rm -rf {} +

$(BIN)/prepared: pyproject.toml uv.lock
	@scripts/check.sh --prepare
	@touch $@
