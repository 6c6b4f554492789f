# What each target needs it asks of .ci/setup, which names what is missing and installs it, and asks
# for root only then. `go test ./...` by hand does the same as `make test` once that was done.
SHELL   := /bin/sh
GO      ?= go
BIN     := bin/nettplay
PKGS    ?= ./...
BENCH   ?= .
COUNT   ?= 1
FUZZTIME ?= 20s
FRAMES  ?= 1000000
SEED    ?= 1
RUNS    ?= 12
JOBS    ?= 1
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
# The C that goes into the program, with every warning an error.
C_FILES   := $(shell git ls-files '*.c' '*.h')
C_SOURCES := $(filter-out %_windows.c,$(filter emucore/%.c internal/%.c,$(C_FILES)))
C_WINDOWS := $(filter %_windows.c,$(C_FILES))
MINGW     := x86_64-w64-mingw32-gcc
C_STRICT  := -std=gnu17 -O2 -Wall -Wextra -Wconversion -Wshadow -Werror

.PHONY: all build test race soak fuzz asan lint lint-go lint-c lint-portable format cross windows windows-test adversary natlab container chaos \
	jitsoak mixed relaybench relaycluster rollbackbench airbench netbench soundbench bench dist distcheck figures \
	compatibility icon roms testcore demo clean setup-build setup-play setup-test setup-roms setup-lint setup-dist setup-cross setup-windows

all: build

setup-build setup-play setup-test setup-roms setup-lint setup-dist setup-cross setup-windows: setup-%:
	@GO='$(GO)' .ci/setup $*

build: setup-build
	$(GO) build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/nettplay
	CGO_ENABLED=0 $(GO) build -ldflags '$(LDFLAGS)' -o $(BIN)-relay ./cmd/nettplay-relay

# A short game between two processes, compared.
demo: setup-play build
	$(BIN) demo

# ---- Tests

test: setup-test
	$(TEST) $(TESTED)
	$(if $(filter ./...,$(PKGS)),cd $(MEASURING) && $(TEST) ./...)

# The same with the race detector, in a random order, COUNT times.
race: setup-test
	$(TEST) -race -shuffle=on -count=$(COUNT) -timeout 90m $(TESTED)
	$(if $(filter ./...,$(PKGS)),cd $(MEASURING) && $(TEST) -race -shuffle=on -count=$(COUNT) -timeout 90m ./...)

# The long variants of all tests, with many seeds, long games, large rooms, and a thousand simulated games.
soak: setup-test
	NETTPLAY_LONG=1 $(TEST) -p 1 -timeout 240m $(PKGS)
	cd $(MEASURING) && NETTPLAY_LONG=1 NETTPLAY_SIMULATIONS=1000 $(TEST) -p 1 -timeout 240m ./...

# Every fuzz target for FUZZTIME.
fuzz: setup-play
	@set -e; for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "== $$pkg $$f"; \
			$(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$pkg; \
		done; done

# The C under gcc's address and undefined behaviour sanitizers. The test core's own tests switch stacks,
# which the first does not follow; and what it maps is too much for a console's snapshots.
UBSAN := -g -O1 -w -fsanitize=undefined -fno-sanitize-recover=all
asan: setup-play
	CGO_CFLAGS='$(UBSAN)' CGO_LDFLAGS=-fsanitize=undefined CFLAGS='-std=gnu17 $(UBSAN) -fsanitize=address' \
		$(GO) test -count=1 -asan -timeout 20m ./internal/air ./emucore
	CGO_CFLAGS='$(UBSAN)' CGO_LDFLAGS=-fsanitize=undefined CFLAGS='-std=gnu17 $(UBSAN)' $(GO) test -count=1 -timeout 20m -run '^TestSnapshots' ./emucore
	CFLAGS='-std=gnu17 $(UBSAN)' $(GO) test -count=1 -timeout 20m ./internal/testing/testcore

# Attacks: whole rooms against machines that send what nobody should, floods with figures, and what single parts
# do with hostile datagrams, messages, cores and files.
ATTACKS := Blank|Bounded|Crowd|Damage|Endless|Enemy|FirstWall|Flood|Forge|Garbage|Guess|Hostile|Killed|Liar|Lies|Mutat|Mute|NeverEnd|Nowhere|Refus|Rude|SeatsRise|Silent|Springboard|Stranger|Watched
adversary: setup-play
	NETTPLAY_ADVERSARY=100 $(TEST) -v ./internal/testing/adversary
	NETTPLAY_LONG=1 $(TEST) -run Killed ./internal/saves
	$(TEST) -run '$(ATTACKS)' $$($(GO) list ./... | grep -v /ui/)

# Friends meet through every pair of kinds of routers, and the program speaks to nobody but whom it may, in network
# namespaces, as root; writes docs/natlab.md.
natlab: setup-test
	NETTPLAY_NATLAB=1 $(TEST) -timeout 40m -parallel 12 -run "^(TestNATLab|TestPlayOnlineWithoutUDP|TestPairsOfRouters|TestTroublesAmidPlay|TestNextHostIsMet|TestNarrowPathsOfThree|TestWatchedWorld|TestAThirdFriendHelps)$$" -v ./cmd/nettplay

# The relay's image is built and started as docs/relay.md says. Needs podman.
container: setup-build
	NETTPLAY_CONTAINER=1 $(TEST) -run '^TestContainer$$' -v ./cmd/nettplay-relay

# RUNS random games between real processes over bad lines, in which much goes wrong: the first by SEED, each by the next
# one. CHAOS=-long also lets lines be dark for 40 s, CHAOS=-race builds with the race detector.
chaos: setup-play
	$(GO) build -C $(MEASURING) -o $(CURDIR)/bin/chaos ./cmd/chaos
	@bin/chaos -runs $(RUNS) -seed $(SEED) -jobs $(JOBS) $(CHAOS)

# The JIT of the core in NETTPLAY_TEST_CORE: our games on two machines with resyncs, late joins and replays, until FRAMES
# frames of consoles were compared. A difference is kept in bin/jitsoak.
jitsoak: setup-play
	NETTPLAY_JITSOAK=$(FRAMES) NETTPLAY_SEEDS=$(SEED)-1000000 NETTPLAY_KEEP=$(CURDIR)/bin/jitsoak $(TEST) -timeout 24h -run '^TestJITSoak$$' -v ./emucore

# The same with two builds of one core, CORE_A and CORE_B, one on each machine.
mixed: setup-play
	NETTPLAY_MIXED=$(FRAMES) NETTPLAY_CORE_A='$(CORE_A)' NETTPLAY_CORE_B='$(CORE_B)' NETTPLAY_SEEDS=$(SEED)-1000000 NETTPLAY_KEEP=$(CURDIR)/bin/mixed \
		$(TEST) -timeout 24h -run '^TestMixedSoak$$' -v ./emucore

# ---- Layout, vet, static analysis, other systems

# The test ROMs' warnings are errors when a test builds them anew.
lint: lint-go lint-c lint-portable

# Both read cgo's sources where they were built, which another checkout's cache would not tell.
lint-go: setup-build
	@out=$$($(GO) tool gofumpt -l .); [ -z "$$out" ] || { echo "gofumpt would change:"; echo "$$out"; exit 1; }
	export GOFLAGS='$(filter-out -trimpath,$(GOFLAGS))' && staticcheck=$$($(GO) tool -n staticcheck) && for module in . $(MEASURING); do \
		(cd $$module && $(GO) vet -tags nettplay_faults ./... && $$staticcheck -tags nettplay_faults ./...) || exit 1; done

# clang-format and clang-tidy come from `.ci/setup lint`; without them their part is left out.
lint-c: setup-build
	@for f in $(C_SOURCES); do $(CC) $(C_STRICT) -Iinternal/air -c -o /dev/null $$f || exit 1; done
	@if command -v $(MINGW) >/dev/null; then for f in $(C_WINDOWS); do $(MINGW) $(C_STRICT) -D__USE_MINGW_ANSI_STDIO=1 -c -o /dev/null $$f || exit 1; done; \
	else echo "lint-c: no mingw-w64, the C of Windows is left out"; fi
	@if command -v clang-format >/dev/null; then clang-format --dry-run -Werror $(C_FILES); \
	else echo "lint-c: no clang-format, layout is left out"; fi
	@if command -v clang-tidy >/dev/null; then ls emucore/*.c internal/air/*.c | grep -v _windows | xargs -n 4 -P $$(nproc) .ci/tidy; \
	else echo "lint-c: no clang-tidy, it is left out"; fi

# What needs no cgo is for every system. Packages with a NATS server in them, which is long in building, are left to `make cross`.
lint-portable: setup-build
	CGO_ENABLED=0 GOOS=windows $(GO) vet $$(GO='$(GO)' .ci/portable windows | grep -vE '/(nettplay-relay|relay/cluster)$$')

format:
	$(GO) tool gofumpt -w .
	clang-format -i $(C_FILES)

cross: setup-cross
	CGO_ENABLED=0 GOOS=windows $(GO) vet $$(GO='$(GO)' .ci/portable windows)
	GO='$(GO)' C_STRICT='$(C_STRICT)' packaging/cross/arm64.sh $(C_SOURCES)

# The program for Windows, into bin/windows; and its tests, under Wine. Where Wine or mingw-w64 is missing they are not run, and say so.
windows: setup-windows
	GO='$(GO)' LDFLAGS='$(LDFLAGS)' packaging/windows/build.sh

windows-test:
	GO='$(GO)' C_STRICT='$(C_STRICT)' packaging/windows/test.sh

# ---- Figures, for which a machine should be idle

relaybench: setup-build
	NETTPLAY_RELAYBENCH=1 $(GO) test -count=1 -run '^Test(Load|Flood)$$' -v ./internal/relay/service

relaycluster: setup-build
	NETTPLAY_RELAYCLUSTER=1 $(GO) test -count=1 -timeout 10m -run 'IsKilled$$' -v ./cmd/nettplay-relay

rollbackbench: setup-play
	NETTPLAY_ROLLBACKBENCH=100 $(TEST) -run '^TestRollbackBench' -timeout 60m -v ./emucore

# AIRFRAMES frames of each game with four consoles on the air, on the core in NETTPLAY_TEST_CORE.
AIRFRAMES ?= 1800
airbench: setup-play
	NETTPLAY_AIRBENCH=$(AIRFRAMES) $(TEST) -timeout 60m -run '^TestAirBench$$' -v ./internal/game

# Play over bad lines, beside bare ENet. Written into docs/ when all cases are played; CASES are patterns of their names,
# NETBENCH are flags (-help lists them). On a machine that does other things too, NETBENCH_BY='chrt -r 1' as root goes before them.
netbench: setup-play
	$(GO) build -C $(MEASURING) -o $(CURDIR)/bin/netbench ./cmd/netbench
	@$(NETBENCH_BY) bin/netbench $(if $(FULL),-full) $(if $(CASES)$(NETBENCH),,-docs docs) $(NETBENCH) $(CASES)

soundbench: setup-play
	NETTPLAY_SOUNDBENCH=1 $(GO) test -count=1 -v -run TestSoundbench ./internal/ui/sound

# Figures in bin/bench.txt; "go tool benchstat OLD.txt bin/bench.txt" compares. One package at a time: they would disturb each other.
bench: setup-play
	@mkdir -p bin
	$(GO) test -p 1 -run '^$$' -bench '$(BENCH)' -benchmem -count=$(COUNT) -timeout 60m ./... | tee bin/bench.txt
	$(GO) tool benchstat bin/bench.txt
	@! grep '^FAIL' bin/bench.txt

# ---- What is published, and what is built in

# All of a version, in dist/, signed by the minisign key in the file KEY.
dist: setup-dist
	GO='$(GO)' KEY='$(KEY)' packaging/dist.sh

# It is tried on bare Debians, as root.
distcheck: dist
	GO='$(GO)' packaging/distcheck.sh

# Start and memory of the package beside RetroArch's, into docs/figures.md, as root.
figures: dist
	GO='$(GO)' packaging/figures.sh

# The table of docs/compatibility.md for the games of a folder.
GAMES ?= roms-test
CORE  ?= melonds
compatibility: build
	bin/nettplay doctor --rom '$(GAMES)' --core '$(CORE)'

icon: setup-dist
	rsvg-convert -w 128 packaging/icons/nettplay.svg -o internal/ui/window/icon.png

roms: setup-roms
	$(MAKE) -C roms-test

testcore:
	$(MAKE) -C internal/testing/testcore

clean:
	rm -rf bin demo-out internal/testing/testcore/testcore_libretro.so "$${XDG_CACHE_HOME:-$$HOME/.cache}/nettplay-testcore"
	$(GO) clean -testcache
