# Tidemark. `make help` lists what there is.

SHELL := /bin/bash
.DEFAULT_GOAL := help

TOOL     := go tool -modfile=go.tools.mod
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -X github.com/tidemark/tidemark/internal/cli/version.Number=$(VERSION)
FUZZTIME ?= 5s

.PHONY: help
help: ## Show this list.
	@awk 'BEGIN {FS = ":.*## "} /^[a-z][a-z-]*:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/tidemark.
	go build -ldflags '$(LDFLAGS)' -o bin/tidemark ./cmd/tidemark

.PHONY: download
download: ## Fetch every module, patiently: a busy module proxy asks to come back later.
	hack/download.sh . test/upstream

.PHONY: generate
generate: ## Write everything that is generated: deep copies, the CRD, docs.
	$(TOOL) controller-gen object crd paths=./api/... output:crd:dir=config/crd
	go run config/crd/tighten.go config/crd/autoscaling.tidemark.dev_workloadautoscalers.yaml
	go run ./hack/docs

.PHONY: verify
verify: ## Regenerate, lint, and fail if anything differs.
	hack/verify.sh

.PHONY: lint
lint: ## Vet and lint.
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "run gofmt on:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	go vet ./...
	$(TOOL) staticcheck ./...
	cd test/upstream && go vet ./...

.PHONY: check
check: build ## The quick check: unit tests and scripts.
	go test ./...
	bin/tidemark test spec

.PHONY: test
test: download verify check ## Everything: verify, unit tests, scripts, fuzzing, and equality with the upstream HPA.
	go test -race -short ./...
	hack/fuzz.sh $(FUZZTIME)
	cd test/upstream && go test -count=1 -timeout 30m && go test -count=1 ./crd

.PHONY: bench
bench: ## Measure Decide against the upstream calculator in one run, and what else has a goal.
	cd test/upstream && go run ./cmd/bench
	go test -run '^$$' -bench 'DecideIntervals|Observe$$|FourWeeks' ./engine ./history
