# `make demo` and `make test` need nothing but Python 3.11, make and, where something is missing,
# apt (as root). Everything lands in .venv, at the versions of the lock files.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install --quiet

# A file of tests stays with one worker, for it shares what takes long to make; the folders with the
# longest ones come first by their names. One worker more than cores: those of pages wait for their
# browsers a third of the time. None thinks with more than one core: with three workers on two cores
# that took a sixth longer. What programs are compiled to is kept, also where the shell says not to:
# tests start hundreds of them.
WORKERS = --numprocesses $(shell $(PYTHON) -c "import os; print(min(4, 1 + (os.cpu_count() or 1)))") \
    --dist loadfile --no-loadscope-reorder
test suite test-all: export OPENBLAS_NUM_THREADS := 1
test suite test-all: export OPENCV_FOR_THREADS_NUM := 1
test suite test-all: export PYTHONDONTWRITEBYTECODE :=

# What docs/install.md names, as uv calls it.
SYSTEMS := x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-pc-windows-msvc
PYTHONS := 3.11 3.12 3.13 3.14

PACKAGES := scoring calibration vision simulation table webui firmware_bridge club cli

.PHONY: demo test suite test-all budget check types words wheel sbom site image lock wheels clean

demo: $(VENV)/run
	$(BIN)/railspotter demo

# The type checker has one core only, so the tests run meanwhile.
test: check
	.ci/system-packages
	$(MAKE) --no-print-directory --jobs=2 suite types

suite: $(VENV)/dev
	$(BIN)/python -m pytest $(WORKERS) --durations=15 -m "not long" $(PYTEST)

# With those marked long too, and every property tried with all its examples.
test-all: $(VENV)/dev check types
	.ci/system-packages
	$(BIN)/python -m pytest $(WORKERS) --durations=15 --hypothesis-profile=all $(PYTEST)

# Lowers tests/house/budget.toml to the lines and files that there are today.
budget: $(VENV)/dev
	PYTHONPATH=tests $(BIN)/python -m house.budget

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The type checker finds a package by its folder's name, which here is not its import name.
types: $(VENV)/dev
	mkdir -p build/names/railspotter
	for p in $(PACKAGES); do ln -sfn ../../../$$p build/names/railspotter/$$p; done
	$(BIN)/mypy $(PACKAGES:%=-p railspotter.%)
	$(BIN)/mypy tests benchmarks

$(VENV)/bin/python:
	.ci/virtual-environment $(PYTHON) $(VENV)

$(VENV)/run: $(VENV)/bin/python requirements.lock requirements-words.lock pyproject.toml $(wildcard webui/words/*.po webui/static/*/*.js)
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/dev: $(VENV)/run requirements-dev.lock
	$(PIP) --require-hashes -r requirements-dev.lock
	touch $@

# Brings the translators' catalogues up to date with what the program says.
words: $(VENV)/dev
	PYTHONPATH=tests/support:tests $(BIN)/python tests/support/program_words.py
	$(PIP) --no-deps --no-build-isolation -e .

# What is installed elsewhere, in build/wheels: the same file for the same commit, whoever builds it.
wheel: $(VENV)/run
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m pip --disable-pip-version-check \
	    wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheels .

# What an installation consists of, in CycloneDX's words.
sbom: $(VENV)/dev
	mkdir -p build
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) PYTHONPATH=tests/support:tests \
	    $(BIN)/python tests/support/bill_of_materials.py > build/railspotter.cdx.json

# The documentation as a site, in build/site/html: to be put on a server, or opened as files.
site: $(VENV)/dev
	PYTHONPATH=tests/support:tests $(BIN)/python tests/support/documentation_site.py

# The program in a container. Needs docker, with BuildKit.
image: $(VENV)/run
	v=$$($(BIN)/python -m setuptools_scm) && docker build --file deploy/Dockerfile \
	    --build-arg VERSION=$$v --tag railspotter:$${v%%+*} --tag railspotter:latest .

# Needs uv (pip install uv). Run it after changing a dependency in pyproject.toml.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --custom-compile-command 'make lock' pyproject.toml --group build -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --custom-compile-command 'make lock' pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock
	$(MAKE) --no-print-directory wheels

# Whether every locked package has a wheel for each system and Python that docs/install.md names: the
# index is asked, and nothing fetched. Needs uv. It ends with the first package that has none.
wheels: export MACOSX_DEPLOYMENT_TARGET := 13.0
wheels:
	@for system in $(SYSTEMS); do for python in $(PYTHONS); do \
	    echo "$$system, Python $$python"; \
	    uv pip compile --quiet --no-deps --only-binary :all: --python-platform $$system \
	        --python-version $$python requirements.lock > /dev/null || exit 1; \
	done; done

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
