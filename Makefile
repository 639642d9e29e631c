# `make demo`, `make test` and `make test-all` each do all of their own set-up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAMES := demo-games

DEMO_POSITION := B1,W1,-,B2,W1,B1,W1,B1,B1/-,B1,B1,B1,D,W1,B1,W1,W1,D/B2,B1,W1,W1,B1,W1,B1,W1,D,W1,W1/W1,W1,-,W1,W3,B1,W1,B1,W1,-/B1,B1,-,B2,-,B1,B1,W1,W2 w m

PYTEST := $(BIN)/python -m pytest
PLUGINS := $(wildcard tests/contract/test_plugin*.py)
PROGRAMS := tests/apps tests/soak tests/protocol tests/tuning tests/house tests/library $(PLUGINS)
CHECKS := NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1
BOUNDS := tests/contract tests/engine tests/reference tests/rules tests/tuning/learning
SEARCHES := tests/search tests/solver tests/rules/challenges
COMMANDS := tests/apps tests/protocol tests/house
ELSEWHERE := $(COMMANDS) tests/tuning tests/soak tests/reference
SLICE := tests/rules tests/reference tests/engine/records/test_sgf.py tests/engine/test_picture.py \
    tests/search/test_search.py tests/search/test_bench.py tests/search/limits/test_clock.py tests/house/test_architecture.py tests/house/test_docs.py \
    tests/protocol/test_parts.py tests/protocol/test_transcripts.py tests/apps/test_show.py

SYNCED := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)  # the make of macOS is older

unexport PYTHONDONTWRITEBYTECODE  # hundreds of processes would compile the same sources again

.PHONY: demo play soak audit test test-all nightly games programs checked unchecked commands tuning pages interpreted check contract slice kernels clients lint format clean

demo: $(VENV)/demo.stamp  ## analyse a DVONN midgame, then play two games from it over two protocols
	$(BIN)/tengen analyze --game dvonn --position '$(DEMO_POSITION)' --time 3 --multipv 3
	rm -rf $(GAMES) && mkdir $(GAMES)
	echo '$(DEMO_POSITION)' > $(GAMES)/opening.txt
	$(BIN)/tengen match --game dvonn --first 'gtp:$(BIN)/tengen gtp --game dvonn' \
	    --second 'ugi:$(BIN)/tengen ugi --game dvonn' --openings $(GAMES)/opening.txt --games 2 \
	    --movetime 0.1 --margin 0.5 --out $(GAMES)/match.sqlite --sgf $(GAMES)
	$(BIN)/tengen show $$(ls $(GAMES)/*.sgf | head -n 1)
	@printf '\nTry next:\n'
	@printf '    $(BIN)/tengen serve      play and analyse in the browser (also: make play)\n'
	@printf '    $(BIN)/tengen play       play in this terminal\n'
	@printf '    $(BIN)/tengen --help     all commands\n'

play: $(VENV)/demo.stamp  ## the board in the browser
	$(BIN)/tengen serve

test: $(VENV)/dev.stamp  ## rules, searches, protocols and commands, compiled as users run them
	@echo 'two runs of the tests at a time; what they say is shown as each one ends'
	@$(MAKE) --no-print-directory --jobs 2 $(SYNCED) games programs QUICK='-m "not thorough"'

test-all: $(VENV)/dev.stamp  ## lint and every test; rules with bounds checks and also interpreted
	@echo 'three runs of the tests at a time, as some wait; what they say is shown as each one ends'
	@$(MAKE) --no-print-directory --jobs 3 $(SYNCED) kernels checked lint interpreted unchecked tuning commands pages

nightly: $(VENV)/dev.stamp  ## all puzzles and ends of games of Go, a share of which test-all proves; searches with bounds checks
	$(PYTEST) -m nightly
	$(CHECKS) $(PYTEST) -m "not nightly" $(SEARCHES)

games: $(VENV)/dev.stamp  ## rules, kernels and searches
	$(PYTEST) $(foreach folder,$(PROGRAMS),--ignore $(folder)) $(QUICK)

programs: $(VENV)/dev.stamp  ## what is made of them: commands, protocols, matches, packages
	$(PYTEST) $(PROGRAMS) $(QUICK)

checked: $(VENV)/dev.stamp  ## rules with bounds checks, for which kernels need be optimized less
	$(CHECKS) $(PYTEST) -m "checked and not nightly" $(BOUNDS)

interpreted: $(VENV)/dev.stamp  ## rules and searches by Python, which has bounds checks, too
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m interpreted $(BOUNDS) $(SEARCHES) tests/library

unchecked: kernels  ## all others, as users run them: searches, the library
	$(PYTEST) -m "not checked and not nightly" $(foreach folder,$(ELSEWHERE),--ignore $(folder))

commands: kernels  ## ... commands and protocols
	$(PYTEST) -m "not nightly" $(COMMANDS) --ignore tests/apps/web

tuning: kernels  ## ... matches, training and players
	$(PYTEST) -m "not checked and not nightly" tests/tuning tests/soak

pages: kernels  ## ... the page in a browser
	$(PYTEST) tests/apps/web

check: $(VENV)/dev.stamp  ## before a commit: style, types, the contract and a slice of the rest, in about a minute
	@$(MAKE) --no-print-directory --jobs 2 $(SYNCED) lint contract slice

contract: $(VENV)/dev.stamp
	$(PYTEST) tests/contract $(foreach file,$(PLUGINS),--ignore $(file))

slice: $(VENV)/dev.stamp
	$(PYTEST) $(SLICE)

HOURS ?= 1

soak: $(VENV)/dev.stamp  ## hostile input, kills and full disks for HOURS; ends with a table
	$(BIN)/python -m tests.soak --hours $(HOURS)

audit: $(VENV)/dev.stamp  ## published advisories about what is installed in .venv; needs PyPI itself, not a mirror
	mkdir -p build
	$(BIN)/pip freeze --exclude-editable > build/installed.txt
	$(PYTHON) -m venv build/audit
	build/audit/bin/pip install --quiet pip-audit
	build/audit/bin/pip-audit --strict --no-deps --disable-pip --requirement build/installed.txt

kernels: $(VENV)/dev.stamp  ## both searches of every game, compiled by all cores
	$(BIN)/tengen warmup

clients: $(VENV)/dev.stamp  ## try to install the programs that some tests talk to: GNU Go, Sabaki's module, KaTrain
	tests/protocol/clients/install.sh

lint: $(VENV)/dev.stamp  ## style, types and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(GAMES) build

$(VENV)/demo.stamp: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --editable '.[play]'  # Python compiles what is imported
	touch $@

$(VENV)/dev.stamp: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --upgrade 'pip>=25.1'  # which knows groups
	$(BIN)/pip install --quiet --no-compile --editable . --group dev
	touch $@
