# `make campaign` and `make test` work on a fresh clone: set-up is part of them and takes no time when done.
PYTHON_FOR_SETUP ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
# One more than a machine of two cores has: a quarter of the tests' time is waiting for clocks and other processes.
TEST_JOBS ?= 3
CAMPAIGN ?= config/campaign/mission2.yaml
OUT ?= results/mission2
COMPARE ?= config/compare/quick.yaml
STUDIO ?= results/studio
SCENARIO ?= config/scenarios/two_walls.yaml
KILLS ?= 50
FUZZ_S ?= 60
TEST_LIMIT_S ?= 3600
SLOW_LIMIT_S ?= 7200
# `make test-load`: with the two workers of JOBS a load of 20 on two cores, the limits of tests ten times as long.
CROWD ?= 18
PATIENCE ?= 10
LOAD_LIMIT_S ?= 20400
TESTS ?=

.DEFAULT_GOAL := help
.PHONY: help setup campaign compare graph fly studio fleet golden test test-slow test-load soak fuzz audit lint types bench docs gallery studio-pictures docs-site colcon lock clean clean-venv

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Make or repair .venv: Python packages, ROS 2, messages (part of every target below)
	@$(PYTHON_FOR_SETUP) tools/setup_env.py

campaign: setup ## Search for dangerous scenes on mission 2 and write the report to results/mission2
	@$(BIN)/uav-testgen campaign $(CAMPAIGN) --out $(OUT) --resume

compare: setup ## Compare search algorithms on logical scenarios (COMPARE=file); results/compare gets the tables
	@$(BIN)/uav-testgen compare $(COMPARE) --out results/compare/$(notdir $(basename $(COMPARE))) --resume

graph: setup ## Start the ROS 2 node graph of config/graph.yaml until Ctrl-C
	@$(BIN)/uav-testgen graph

fly: setup ## Fly one scene (SCENARIO=file) and judge it; results/fly gets trajectory and picture
	@$(BIN)/uav-testgen fly $(SCENARIO) --plot || [ $$? -eq 1 ] # 1: flown, and not safe

studio: setup ## Open the studio in the browser: drag an obstacle, see the flight change (STUDIO=folder)
	@$(BIN)/uav-testgen studio $(STUDIO)

fleet: setup ## Simulate a fleet of drones on a grid
	@$(BIN)/uav-testgen fleet package-delivery

golden: setup ## Replay the vectors recorded from the real planner
	@$(BIN)/uav-testgen golden test/golden/vectors

test: setup lint types ## Lint, types and every test tier, in parallel and in random order
	@$(BIN)/python tools/run_tests.py --limit-s $(TEST_LIMIT_S) -- -n $(TEST_JOBS) --dist loadgroup -m "not slow"

test-slow: setup ## The long tests: colcon, all strict closed loops, PX4 flights in real time
	@$(BIN)/python tools/run_tests.py --limit-s $(SLOW_LIMIT_S) -- -n $(JOBS) --dist loadgroup -m slow

test-load: setup ## Every test on a crowded machine: CROWD programs use up the processors meanwhile (TESTS=paths; hours)
	@$(BIN)/python tools/run_tests.py --crowd $(CROWD) --patience $(PATIENCE) --limit-s $(LOAD_LIMIT_S) -- -n $(JOBS) --dist loadgroup -m "not slow" $(TESTS)

soak: setup ## Kill drivers, workers and machines 50 times each; leaks; a campaign of a million evaluations (hours)
	@$(BIN)/python -m pytest -p no:randomly test/faults --soak $(KILLS)

fuzz: setup ## Feed every parser with damaged input for FUZZ_S seconds each, guided by coverage
	@$(BIN)/python tools/fuzz/run.py --seconds $(FUZZ_S)

audit: setup ## Known vulnerabilities, licences and versions of everything that is installed
	@mkdir -p results
	@$(BIN)/python tools/audit.py --bill results/bill_of_materials.json

lint: setup ## Style and common mistakes (ruff)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "run: $(BIN)/ruff format"; exit 1; }

types: setup ## Type check (mypy, strict)
	@$(BIN)/mypy

bench: setup ## Measure speed: every program in benchmarks/, one after the other
	@for program in benchmarks/*.py; do echo "== $$program"; $(BIN)/python $$program || exit 1; done

docs: setup ## Write the generated pages of docs/reference and the JSON schemas anew from the code
	@$(BIN)/python tools/make_parameters_doc.py
	@$(BIN)/python tools/make_schemas.py
	@$(BIN)/python tools/make_command_docs.py
	@$(BIN)/python tools/make_ros_docs.py
	@$(BIN)/python tools/make_python_doc.py

gallery: setup ## Predict, check and draw the scenes of config/gallery.yaml, and the pictures of README
	@$(BIN)/python tools/make_gallery.py

studio-pictures: setup ## Draw the pictures of the studio in README and docs (needs Chromium)
	@$(BIN)/python tools/make_studio_pictures.py

docs-site: setup ## Build the documentation as web pages (build/site/index.html); a warning is an error
	@$(BIN)/sphinx-build -q -W --keep-going -b html docs build/site
	@echo "build/site/index.html"

colcon: setup ## Build both packages the way a ROS workspace does, in a temporary folder
	@$(BIN)/python tools/colcon_check.py

lock: setup ## Choose package versions anew and write requirements/lock.txt
	@sh tools/lock.sh

clean: ## Remove caches and build products; results and .venv stay
	@rm -rf build install log .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +

clean-venv: ## Remove .venv; the next make builds it again
	@rm -rf $(VENV) .venv.lock
