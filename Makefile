# Tidemark. `make help` lists what is marked ##, `make help-all` also what is marked #-.

SHELL := /bin/bash
.DEFAULT_GOAL := help

TOOL     := go tool -modfile=go.tools.mod
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -X github.com/tidemark/tidemark/internal/cli/version.Number=$(VERSION)
# Without it kustomize can load plugins, and the linker keeps every method for them.
TAGS     := -tags kustomize_disable_go_plugin_support
SOAK     ?= 10m
# Live tests wait for more than the longest back-off, so one that fails may take long.
LIVE     := 1h
N        ?= 100
TENANTS  ?= 200
# Where goroutines are: pure packages have none, and are slow under the detector.
CONCURRENT := ./internal/fair ./internal/apply/... ./internal/observe/... ./internal/controller/... ./internal/replay ./internal/replay/fleet \
	./internal/replay/progress ./internal/replay/search ./internal/jsonapi ./internal/cli/lint ./internal/cli/record ./internal/cli/serve ./internal/ui/...
MODULES  := . cluster cluster/vpa hack/release test/advise test/install test/scaler test/upstream
# The version that the programs of cluster/ report, which is the one they are.
KUBERNETES := -X k8s.io/component-base/version.gitVersion=v1.36.3 -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36

.PHONY: help
help: ## List the everyday targets; help-all lists every one.
	@awk 'BEGIN {FS = ":.*## "} /^[a-z][a-z0-9-]*:.*## / {printf "  %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: help-all
help-all: #- List every target.
	@awk 'BEGIN {FS = ":.*#[#-] "} /^[a-z][a-z0-9-]*:.*#[#-] / {printf "  %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/tidemark.
	go build $(TAGS) -ldflags '$(LDFLAGS)' -o bin/tidemark ./cmd/tidemark

.PHONY: download
download: #- Fetch every module, with retries.
	hack/download.sh $(MODULES)

.PHONY: cluster
cluster: ## Build bin/cluster, a real control plane: minutes at first.
	cd cluster && go build -ldflags '-s -w $(KUBERNETES)' -o ../bin/cluster .
	cd cluster/vpa && go build -ldflags '-s -w' -o ../../bin/vpa-recommender k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender

# The oldest version that is supported: the one in docs/install.md and in cluster/oldest/go.mod.
OLDEST := -X k8s.io/component-base/version.gitVersion=v1.33.13 -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=33

.PHONY: cluster-oldest
cluster-oldest: #- Build bin/kubernetes-oldest: ten minutes at first.
	hack/download.sh cluster/oldest
	cd cluster/oldest && go build -ldflags '-s -w $(OLDEST)' -o ../../bin/kubernetes-oldest .

.PHONY: demo
demo: build ## Watch workloads scale on a real control plane, in minutes.
	@echo "Building the control plane. The first time this takes about ten minutes."
	@$(MAKE) --no-print-directory cluster
	go run ./hack/demo

.PHONY: generate
generate: ## Write all generated files: CRDs, roles, chart, pages, docs.
	$(TOOL) controller-gen object crd paths=./api/... output:crd:dir=config/crd
	go run config/crd/tighten.go config/crd/autoscaling.tidemark.dev_workloadautoscalers.yaml config/crd-1.33/autoscaling.tidemark.dev_workloadautoscalers.yaml
	cp config/crd/autoscaling.tidemark.dev_workload[ch]*.yaml config/crd-1.33/
	$(TOOL) controller-gen rbac:roleName=tidemark paths=./internal/controller/rbac output:rbac:dir=config/rbac
	hack/chart.sh
	go run -modfile=go.tools.mod hack/protocol/main.go internal/observe/scaler/protocol/externalscaler.proto
	go run -modfile=go.tools.mod hack/bundle/main.go internal/ui/web internal/replay/report/assets
	go run ./hack/docs
	go run ./hack/publicapi

.PHONY: verify
verify: ## Fail if generated files are out of date or lint complains.
	hack/verify.sh

.PHONY: lint
lint: ## Look for what .golangci.yml says, in every module.
	go build -modfile=go.tools.mod -o bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	for dir in . cluster hack/release test/advise test/install test/scaler test/upstream; do (cd $$dir && $(CURDIR)/bin/golangci-lint run --allow-parallel-runners -c $(CURDIR)/.golangci.yml ./...) || exit 1; done

GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.1.4
VULNDB      ?= https://vuln.go.dev

.PHONY: vuln
vuln: #- Look for known vulnerabilities: VULNDB=file:///dir offline
	for dir in . cluster hack/release; do (cd $$dir && echo "$$dir:" && go run $(GOVULNCHECK) -db '$(VULNDB)' ./...) || exit 1; done

.PHONY: check
check: build ## The quick check: unit tests and scripts.
	go test ./...
	bin/tidemark test spec

.PHONY: test
test: download verify check live-parts ## All that has to pass: also races, upstream, a live cluster.
	@echo "Three lanes at once: what computes, and two that mostly wait for a cluster of their own."
	$(MAKE) --no-print-directory -j3 --output-sync=line test-code test-alone test-beside

.PHONY: test-code
test-code: #- Races; upstream and Helm; Windows and macOS.
	go test -race -short $(CONCURRENT)
	cd test/upstream && go test -count=1 -timeout 30m . ./crd ./race
	cd test/install && go test -count=1 ./...
	cd hack/release && go test -count=1 ./...
	$(MAKE) --no-print-directory test-platforms

# Without optimizing, which is most of what a compiler does: a release is what is run.
.PHONY: test-platforms
test-platforms: #- Compile and link the program for Windows and macOS.
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build $(TAGS) -gcflags=all='-N -l' -ldflags '-s -w' -o /dev/null ./cmd/tidemark
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 go build $(TAGS) -gcflags=all='-N -l' -ldflags '-s -w' -o /dev/null ./cmd/tidemark

.PHONY: live-parts
live-parts: build cluster external-scaler #- Build and install what live tests need.
	hack/debian.sh chromium prometheus

.PHONY: test-alone
test-alone: #- Control plane, and the controller where it is disturbed.
	$(MAKE) --no-print-directory test-cluster
	go test -tags e2e -count=1 -timeout $(LIVE) ./test/e2e -args -lane alone

.PHONY: test-beside
test-beside: #- Browser, controller, chart, advice and twin, one by one.
	$(MAKE) --no-print-directory test-browser
	go test -tags e2e -count=1 -timeout $(LIVE) ./test/e2e -args -lane shared
	$(MAKE) --no-print-directory e2e-others
	$(MAKE) --no-print-directory test-twin
	$(MAKE) --no-print-directory chaos

.PHONY: test-browser
test-browser: #- Look at reports and pages in Chromium: PICTURES=dir
	hack/debian.sh chromium
	go test -tags browser -count=1 -run Chromium ./internal/replay/report ./internal/cli/advise
	go test -tags browser -count=1 -parallel 3 ./internal/ui/browser $(if $(PICTURES),-args -pictures $(abspath $(PICTURES)))

.PHONY: pictures
pictures: #- Take the pictures of docs/ui.md.
	hack/debian.sh chromium
	go test -tags browser -count=1 -run '^TestPictures' ./internal/ui/browser -args -pictures $(CURDIR)/docs/images

.PHONY: test-cluster
test-cluster: cluster #- Try the control plane itself.
	cd cluster && go test ./internal/... ./stages && go test -tags cluster -count=1 -timeout $(LIVE) ./test

.PHONY: external-scaler
external-scaler: #- Build bin/external-scaler, a scaler on KEDA's own package.
	cd test/scaler && go build -o ../../bin/external-scaler .

.PHONY: e2e
e2e: live-parts #- Run the controller and the chart on the control plane.
	go test -tags e2e -count=1 -timeout $(LIVE) ./test/e2e
	$(MAKE) --no-print-directory e2e-others

.PHONY: e2e-others
e2e-others: #- A real Prometheus, the chart, and advice.
	go test -tags e2e -count=1 -timeout $(LIVE) ./internal/observe/prometheus
	cd test/install && go test -tags e2e -count=1 -timeout $(LIVE) -run TestRelease .
	cd test/advise && go test -tags e2e -count=1 -timeout $(LIVE) .

.PHONY: e2e-oldest
e2e-oldest: live-parts cluster-oldest #- The same on the oldest Kubernetes: ONLY=TestX
	cd cluster/oldest && go test -count=1 .
	TIDEMARK_KUBERNETES=$(CURDIR)/bin/kubernetes-oldest go test -tags e2e -count=1 -timeout $(LIVE) -run '$(ONLY)' ./test/e2e
	TIDEMARK_KUBERNETES=$(CURDIR)/bin/kubernetes-oldest TIDEMARK_WITHOUT_RESIZE=1 go test -tags e2e -count=1 -timeout $(LIVE) -run TestWithoutInPlaceResize ./test/e2e

# Where a release will be published, and the key that signs it.
IMAGE    ?= registry.example.com/tidemark
CHARTS   ?= registry.example.com/charts
KEY      ?=

.PHONY: release
release: #- Build a release twice: VERSION=v0.1.0 KEY=cosign.key
	cd hack/release && go run . build -version '$(VERSION)' -image '$(IMAGE)' -charts '$(CHARTS)' -out $(CURDIR)/bin/dist \
		$(if $(KEY),-key $(abspath $(KEY))) $(if $(WARM),-warm)
	cd hack/release && go test -count=1 ./... -args -dist $(CURDIR)/bin/dist

.PHONY: image
image: #- Build the image alone, into bin/dist: VERSION=v0.1.0
	cd hack/release && go run . image -version '$(VERSION)' -out $(CURDIR)/bin/dist

.PHONY: soak
soak: ## Draw and fuzz anew: make soak SOAK=1h ONLY=engine
	go run ./hack/soak -for $(SOAK) -only '$(ONLY)'

.PHONY: test-twin
test-twin: build cluster #- Compare each scenario in virtual time and live.
	go test -tags twin -count=1 -timeout 15m -run '^TestTwin$$' ./test/twin
	@cat bin/fidelity.md

.PHONY: test-twin-mutants
test-twin-mutants: cluster #- See that test/twin finds old faults: half an hour.
	hack/twin-mutants.sh

# What may be chosen: CHAOS is how long, SEED what happens, OBJECTS how many, PERIOD their sync period in seconds,
# FAULTS and DEEDS an expression for what is dealt, LIES one for what sources say.
.PHONY: chaos
chaos: build cluster #- Disturb everything and check the promises: CHAOS=1h SEED=7
	go build -tags chaos,kustomize_disable_go_plugin_support -o bin/tidemark-chaos ./cmd/tidemark
	CHAOS=$(CHAOS) SEED=$(SEED) OBJECTS=$(OBJECTS) PERIOD=$(PERIOD) FAULTS='$(FAULTS)' DEEDS='$(DEEDS)' LIES='$(LIES)' go test -tags chaos -count=1 -timeout 12h -v -run '^TestCampaign$$' ./test/chaos

.PHONY: chaos-mutants
chaos-mutants: cluster #- See that broken controllers are found: an hour.
	hack/chaos-mutants.sh

.PHONY: bench
bench: ## Measure Decide beside the upstream calculator.
	cd test/upstream && go run ./cmd/bench
	go test -run '^$$' -bench 'DecideIntervals|Observe$$|FourWeeks|Workload|LintTenThousand' ./engine ./internal/history ./internal/replay/sim ./internal/replay/fleet ./internal/cli/lint ./internal/cli/record ./internal/cli/serve

TRACES ?=

.PHONY: bench-race
bench-race: build #- Race the real upstream HPA in virtual time: TRACES=dir
	@test -d "$(TRACES)" || { echo 'TRACES="$(TRACES)" is no folder: give the folder of recorded demand, make bench-race TRACES=dir; docs/benchmarks.md says which'; exit 1; }
	cd test/upstream && go test ./race -run '^(TestTable|TestSensitivity)$$' -count=1 -timeout 6h -args -traces $(abspath $(TRACES)) \
		-table $(abspath bin)/race.md -sensitivity $(abspath bin)/sensitivity.md
	@cat bin/race.md bin/sensitivity.md

WORKLOADS ?= 1000
WEEKS     ?= 1

.PHONY: bench-advise
bench-advise: build #- Let advise judge a fleet: WORKLOADS=1000 WEEKS=1
	hack/debian.sh prometheus
	cd test/advise && WORKLOADS=$(WORKLOADS) WEEKS=$(WEEKS) go test -tags e2e -run '^$$' -bench '^BenchmarkAdvise$$' -benchtime 1x -timeout 3h .

.PHONY: bench-controller
bench-controller: build cluster #- Compare with the HPA: N="100 1000" BENCH=-busy
	go run ./hack/benchcontroller $(BENCH) $(N)

.PHONY: bench-wake
bench-wake: build cluster #- Wake N workloads from 0 by one metric: N=1000
	go run ./hack/benchcontroller -wake $(N)

.PHONY: bench-tenants
bench-tenants: build cluster #- How late one tenant makes another: TENANTS=200
	TENANT_OBJECTS=$(TENANTS) go test -tags e2e -count=1 -timeout 30m -v -run '^TestATenantCannotHurtAnother$$' ./test/e2e

.PHONY: bench-fresh
bench-fresh: build cluster #- Measure how old usage is: make bench-fresh N=100
	go run ./hack/benchcontroller -fresh -pods 10 $(N)
