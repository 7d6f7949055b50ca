# The commands of this repository; `make help` lists them.
#
# The Temporal server in deploy/devserver is a module of its own. Its first build
# compiles about a thousand packages, which takes 8 to 10 minutes on two cores, so
# it is built only when its sources changed, and always with the same plain flags:
# other flags are another build from the beginning.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
WORKFLOWCHECK := go.temporal.io/sdk/contrib/tools/workflowcheck@v0.6.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

DEVSERVER := $(CURDIR)/bin/terfyn-devserver
DEVSERVER_SOURCES := $(shell find deploy/devserver -name '*.go' ! -name '*_test.go' | LC_ALL=C sort) deploy/devserver/go.mod deploy/devserver/go.sum
DEVSERVER_STAMP := .cache/devserver.sha256

# The race detector needs a C compiler.
RACE := $(shell if command -v gcc >/dev/null 2>&1 && [ "$$(go env CGO_ENABLED)" = 1 ]; then echo -race; fi)
# LOSE is how many answers the mail sink of `make demo` loses.
LOSE ?= 0
# CRASHES is how many crash points `make soak` tries.
CRASHES ?= 2000
# BENCH and BENCHTIME choose benchmarks and how long each runs.
BENCH ?= .
BENCHTIME ?= 1s
# FUZZTIME is how long `make fuzz` runs each target.
FUZZTIME ?= 20s

# REQUIRE is what tests must not be skipped for when it is missing; .ci/run adds cage.
REQUIRE ?= postgres,devserver
PGCLUSTER := go run ./store/storetest/pgcluster --
WITH_SERVERS := TERFYN_DEVSERVER=$(DEVSERVER) TERFYN_REQUIRE=$(REQUIRE) $(PGCLUSTER)

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: build
build: terfyn devserver ## build bin/terfyn and bin/terfyn-devserver

.PHONY: terfyn
terfyn:
	@go build -o bin/terfyn ./cmd/terfyn

.PHONY: devserver
devserver:
	@mkdir -p .cache bin; \
	sum=$$(cat $(DEVSERVER_SOURCES) | sha256sum | cut -d ' ' -f 1); \
	if [ -x bin/terfyn-devserver ] && [ "$$(cat $(DEVSERVER_STAMP) 2>/dev/null)" = "$$sum" ]; then exit 0; fi; \
	echo "building bin/terfyn-devserver; the first build takes 8 to 10 minutes on two cores"; \
	(cd deploy/devserver && go build -o ../../bin/terfyn-devserver .); \
	echo "$$sum" > $(DEVSERVER_STAMP)

.PHONY: demo
demo: build ## take examples/support-reply from validate to a sent mail, through a killed worker
	@go build -o bin/mailsink ./examples/support-reply/mailsink
	@go build -o bin/demo ./examples/support-reply/demo
	@bin/demo -bin bin -project examples/support-reply -lose $(LOSE)

.PHONY: dev
dev: build ## run a durable server and a worker for examples/support-reply until Ctrl-C
	@TERFYN_DEVSERVER=$(DEVSERVER) bin/terfyn dev --project examples/support-reply

.PHONY: test
test: devserver ## all tests, with PostgreSQL and the Temporal server
	@if [ -z "$(RACE)" ]; then echo "skipped: the race detector, which needs gcc and CGO_ENABLED=1"; fi
	$(WITH_SERVERS) go test $(RACE) -timeout 25m ./...
	cd deploy/devserver && go test -timeout 10m ./...

.PHONY: check
check: terfyn ## formatting, vet, static analysis, determinism, vulnerabilities, tidy modules, docs and examples
	@.ci/check-format
	@.ci/check-gates $(STATICCHECK) $(WORKFLOWCHECK)
	go vet ./...
	cd deploy/devserver && go vet ./...
	go run $(STATICCHECK) ./...
	cd deploy/devserver && go run $(STATICCHECK) ./...
	go run $(WORKFLOWCHECK) -config .ci/workflowcheck.yaml ./workflows/...
	@.ci/check-vulnerabilities $(GOVULNCHECK)
	go mod tidy -diff
	cd deploy/devserver && go mod tidy -diff
	go test ./docs/... ./examples/... ./internal/archtest/... ./deploy/docker/...
	@.ci/check-examples bin/terfyn

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (20s)
	@.ci/fuzz $(FUZZTIME)

.PHONY: bench
bench: devserver ## all benchmarks
	$(WITH_SERVERS) go test -run '^$$' -bench $(BENCH) -benchtime $(BENCHTIME) -benchmem $$(grep -rl --include='*_test.go' '^func Benchmark' . | grep -v ^./deploy/devserver | xargs -n 1 dirname | LC_ALL=C sort -u)

.PHONY: soak
soak: devserver ## kill workers at CRASHES (2000) points of runs; takes about 20 minutes
	TERFYN_CRASH_POINTS=$(CRASHES) $(WITH_SERVERS) go test -run Crash -timeout 12h -v ./internal/e2e/...

.PHONY: fmt
fmt: terfyn ## format Go and .agent files
	@gofmt -w $$(find . -name '*.go' -not -path './.cache/*')
	@for p in examples/*/main.agent; do bin/terfyn fmt --project "$$(dirname "$$p")"; done
