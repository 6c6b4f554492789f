# CONTRIBUTING.md says what each target is for. What one needs it asks of .ci/setup, which names what is missing and
# installs it, and asks for root only then. `go test ./...` by hand is most of `make test` once that was done.
SHELL   := /bin/sh
GO      ?= go
BIN     := bin/nettplay
PKGS    ?= ./...
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -X main.version=$(VERSION)
# A build is the same wherever the checkout is, so that each finds what others have built.
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS 2>/dev/null) -trimpath)
# Sixty files of go-sdl2 read SDL's headers, and most of the time those of the processor's vector types, which they
# never use: without these it is built with a tenth of the work.
export CGO_CFLAGS := $(strip $(filter-out -DSDL_DISABLE_%,$(shell $(GO) env CGO_CFLAGS 2>/dev/null)) $(foreach h,IMM MM XMM EMM PMM,-DSDL_DISABLE_$(h)INTRIN_H))
# A race is reported when it happens: no program need wait for more at its end.
export GORACE ?= atexit_sleep_ms=0
# The tag has what makes consoles go wrong, which the program has no code for. Tests start programs that Go
# knows nothing of, so no result is kept; they often wait, so one package more than there are processors is
# tested at once; `make lint` vets, and nobody debugs these programs, which makes linking them half as long.
TEST = GOFLAGS='$(GOFLAGS) -ldflags=-w' $(GO) test -vet=off -tags nettplay_faults -count=1 -p $$(($$(nproc) + 1)) -timeout 15m
# Of all packages the longest go first, so that the processors have something to do until the end.
TESTED = $(if $(filter ./...,$(PKGS)),./internal/ui/app ./internal/session ./cmd/nettplay ./emucore ./internal/link/udp) $(PKGS)
# What measures and simulates the program is a module of its own.
MEASURING := internal/measuring
# How the C that goes into the program is compiled where every warning is an error.
C_STRICT  := -std=gnu17 -O2 -Wall -Wextra -Wconversion -Wshadow -Werror

.PHONY: all build demo test race soak fuzz asan adversary natlab container chaos jitsoak rollbacksoak mixed lint lint-go lint-c lint-portable \
	format cross windows windows-test windows-dist relaybench relaycluster rollbackbench airbench netbench soundbench bench dist distcheck figures \
	compatibility icon texts roms testcore clean setup-build setup-play setup-test setup-roms setup-lint setup-dist setup-cross setup-windows

all: build

setup-build setup-play setup-test setup-roms setup-lint setup-dist setup-cross setup-windows: setup-%:
	@GO='$(GO)' .ci/setup $*

# The program alone: the relay, without cgo, is most of the work again.
$(BIN): setup-build
	$(GO) build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/nettplay

build: $(BIN); CGO_ENABLED=0 $(GO) build -ldflags '$(LDFLAGS)' -o $(BIN)-relay ./cmd/nettplay-relay

demo: setup-play $(BIN); $(BIN) demo

# ---- Tests

test: setup-test
	$(TEST) $(TESTED)
	$(if $(filter ./...,$(PKGS)),cd $(MEASURING) && $(TEST) ./...)
race: setup-test; $(MAKE) test TEST="$(TEST) -race -shuffle=on -count=$(or $(COUNT),1) -timeout 90m"
soak: setup-test; NETTPLAY_LONG=1 NETTPLAY_SIMULATIONS=1000 $(MAKE) test TEST="$(TEST) -p 1 -timeout 240m"
fuzz: setup-play; GO='$(GO)' .ci/fuzz $(or $(FUZZTIME),20s)
asan: setup-play; GO='$(GO)' .ci/asan
adversary: setup-play; NETTPLAY_ADVERSARY=100 $(TEST) -v ./internal/testing/adversary
natlab: setup-test; NETTPLAY_NATLAB=1 $(TEST) -timeout 40m -parallel 12 -run '^TestLab' -v ./cmd/nettplay
container: setup-build; NETTPLAY_CONTAINER=1 $(TEST) -run '^TestContainer$$' -v ./cmd/nettplay-relay
# The first game is by SEED, each by the next one. CHAOS=-long also lets lines be dark for 40 s, CHAOS=-race builds with the
# race detector.
SEED ?= 1
chaos: setup-play
	$(GO) build -C $(MEASURING) -o $(CURDIR)/bin/chaos ./cmd/chaos
	@bin/chaos -runs $(or $(RUNS),12) -seed $(SEED) -jobs $(or $(JOBS),1) $(CHAOS)
# A difference is kept in bin/jitsoak, or bin/mixed.
FRAMES ?= 1000000
SOAK    = NETTPLAY_SEEDS=$(SEED)-1000000 NETTPLAY_KEEP=$(CURDIR)/bin/$@ $(TEST) -timeout 24h -v ./emucore -run
jitsoak: setup-play; NETTPLAY_JITSOAK=$(FRAMES) $(SOAK) '^TestJITSoak$$'
mixed: setup-play
	NETTPLAY_MIXED=$(FRAMES) NETTPLAY_CORE_A='$(CORE_A)' NETTPLAY_CORE_B='$(CORE_B)' $(SOAK) '^TestMixedSoak$$'
# A wireless game on NETTPLAY_TEST_CORE, guessed and taken back on one machine and never on the other.
rollbacksoak: setup-play
	NETTPLAY_LONG=1 NETTPLAY_SEED=$(SEED) NETTPLAY_ROLLBACKSOAK=$(FRAMES) $(TEST) -timeout 24h -run '^TestRollbackSoak$$' -v ./internal/session

# ---- Layout, vet, static analysis, other systems

lint: lint-go lint-c lint-portable
# Both read cgo's sources where they were built, which another checkout's cache would not tell.
lint-go: setup-build; GO='$(GO)' GOFLAGS='$(filter-out -trimpath,$(GOFLAGS))' .ci/lint go
lint-c: setup-build; GO='$(GO)' CC='$(CC)' C_STRICT='$(C_STRICT)' .ci/lint c
# Packages with a NATS server in them, which is long in building, are left to `make cross`.
lint-portable: setup-build
	CGO_ENABLED=0 GOOS=windows $(GO) vet $$(GO='$(GO)' .ci/portable windows | grep -vE '/(nettplay-relay|relay/cluster)$$')
format:
	$(GO) tool gofumpt -w .
	clang-format -i $$(git ls-files '*.c' '*.h')
cross: setup-cross
	CGO_ENABLED=0 GOOS=windows $(GO) vet $$(GO='$(GO)' .ci/portable windows)
	GO='$(GO)' C_STRICT='$(C_STRICT)' packaging/cross/arm64.sh $$(git ls-files 'emucore/*.c' 'internal/*.c' | grep -v _windows)
# The program for Windows, into bin/windows; and its tests, under Wine: PARTS of consoles, rooms, units, lint. Where Wine or
# mingw-w64 is missing they are not run, and say so.
windows: setup-windows; GO='$(GO)' packaging/windows/build.sh '$(VERSION)'
# The installer and the zips alone, into dist/windows: `make dist` has them among all.
windows-dist: setup-windows; GO='$(GO)' packaging/windows/dist.sh '$(VERSION)' dist/windows
windows-test: ; GO='$(GO)' C_STRICT='$(C_STRICT)' packaging/windows/test.sh $(PARTS)

# ---- Figures, for which a machine should be idle

relaybench: setup-build; NETTPLAY_RELAYBENCH=1 $(GO) test -count=1 -run '^Test(Load|Flood)$$' -v ./internal/relay/service
relaycluster: setup-build; NETTPLAY_RELAYCLUSTER=1 $(GO) test -count=1 -timeout 10m -run 'IsKilled$$' -v ./cmd/nettplay-relay
rollbackbench: setup-play; NETTPLAY_ROLLBACKBENCH=100 $(TEST) -run '^TestRollbackBench' -timeout 60m -v ./emucore
airbench: setup-play
	NETTPLAY_AIRBENCH=$(or $(AIRFRAMES),1800) $(TEST) -timeout 60m -run '^TestAirBench$$' -v ./internal/game
# Written into docs/ when all cases are played; CASES are patterns of their names, NETBENCH are flags (-help lists them). On
# a machine that does other things too, NETBENCH_BY='chrt -r 1' as root goes before them.
netbench: setup-play
	$(GO) build -C $(MEASURING) -o $(CURDIR)/bin/netbench ./cmd/netbench
	@$(NETBENCH_BY) bin/netbench $(if $(FULL),-full) $(if $(CASES)$(NETBENCH),,-docs docs) $(NETBENCH) $(CASES)
soundbench: setup-play; NETTPLAY_SOUNDBENCH=1 $(GO) test -count=1 -v -run TestSoundbench ./internal/ui/sound
# "go tool benchstat OLD.txt bin/bench.txt" compares. One package at a time: they would disturb each other.
bench: setup-play
	@mkdir -p bin
	$(GO) test -p 1 -run '^$$' -bench '$(or $(BENCH),.)' -benchmem -count=$(or $(COUNT),1) -timeout 60m ./... | tee bin/bench.txt
	$(GO) tool benchstat bin/bench.txt
	@! grep '^FAIL' bin/bench.txt

# ---- What is published, and what is built in

# All of a version, in dist/, signed by the minisign key in the file KEY.
dist: setup-dist; GO='$(GO)' KEY='$(KEY)' packaging/dist.sh
distcheck: dist; GO='$(GO)' packaging/distcheck.sh
figures: dist; GO='$(GO)' packaging/figures.sh
compatibility: $(BIN); bin/nettplay doctor --rom '$(or $(GAMES),roms-test)' --core '$(or $(CORE),melonds)'
texts: ; $(GO) test -count=1 ./internal/language -run TestCatalogues -update
icon: setup-dist; rsvg-convert -w 128 packaging/icons/nettplay.svg -o internal/ui/window/icon.png
roms: setup-roms; $(MAKE) -C roms-test
testcore: ; $(MAKE) -C internal/testing/testcore
clean:
	rm -rf bin demo-out internal/testing/testcore/testcore_libretro.so "$${XDG_CACHE_HOME:-$$HOME/.cache}/nettplay-testcore"
	$(GO) clean -testcache
