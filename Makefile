# Every target does its own set-up: what is missing is named and installed by
# .ci/setup, which asks for root only when something is missing.
SHELL     := /bin/sh
GO        ?= go
BIN       := bin/nettplay
# A build is the same wherever the checkout is, so that each finds what others have built.
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS 2>/dev/null) -trimpath)
# Three sorts of tests: those of pure packages start no worker and open no window.
PKGS      ?= ./...
MODULE    := github.com/nettplay/nettplay
# The longest first, so that the processors have something to do until the end.
ALL        = $(shell $(GO) list ./internal/session ./internal/link/udp ./internal/ui/app ./emucore ./cmd/nettplay ./internal/game ./internal/air ./savestate/... \
	./roms-test ./emucore/testcore ./internal/relay/... ./internal/ui/gameview ./internal/saves ./internal/adversary ./internal/replay ./internal/corecheck ./...)
WINDOW     = $(shell $(GO) list ./internal/ui/app ./internal/ui/gameview ./internal/ui/pads ./internal/ui/screen/... ./internal/ui/sound ./internal/ui/window)
PROCESS    = $(shell $(GO) list ./internal/session ./cmd/... ./emucore/... ./internal/chaos ./internal/corecheck ./internal/corestore ./internal/launch ./internal/link/... ./savestate/... \
	./internal/air ./internal/player ./roms-test)
PURE       = $(filter-out $(WINDOW) $(PROCESS),$(ALL))
# Packages that start goroutines are tested with the race detector. In the others it would find nothing, and make them
# ten times slower. Left out are those that only measure or help in tests, or start no more than a goroutine that hands over
# what it made; replay, whose goroutines sessions' tests run; doctor, which is long; and those with a NATS server in them,
# of which a build takes longer than all of their tests.
RACED      = $(filter-out $(addprefix $(MODULE)/,$(LEFT_OUT)) $(SOME_RACED),$(addprefix $(MODULE)/,$(sort \
	$(shell grep -rlE --include='*.go' --exclude='*_test.go' '^\s*go |\.Go\>' * | xargs -n1 dirname))))
LEFT_OUT  := cmd/nettplay-relay internal/chaos/cmd/chaos internal/child internal/demo internal/desync/report internal/doctor \
	internal/figures internal/link/impair internal/model internal/netbench internal/netbench/cmd/netbench internal/pair internal/relay/cluster \
	internal/relay/cluster/node internal/relay/service/servicetest internal/replay internal/ui/maintest internal/ui/screen/room \
	internal/ui/screen/settings internal/ui/screen/start
# Compressors, hashes, ciphers, codecs of pictures and what draws the window work through
# megabytes and share nothing between goroutines, and no type of package time does; a heap
# touches its elements through their owner. So they are built without it.
# Functions that go through a picture or a sound are marked go:norace for the same reason.
# (A package with copies of sync's generic code, such as crypto/tls, must have it: the linker
# keeps one copy for all.)
PLAIN     ?= $(patsubst %,-gcflags=%=-race=false,$(addsuffix /...,compress container/heap hash image \
	crypto/internal/fips140/edwards25519 github.com/klauspost/compress github.com/zeebo/xxh3 \
	golang.org/x/crypto golang.org/x/image github.com/boombuler/barcode $(MODULE)/internal/ui/draw $(MODULE)/internal/ui/widgets) \
	crypto/internal/fips140/sha256 crypto/internal/fips140/sha512 time)
# A race is reported when it happens: no program need wait for more at its end.
export GORACE ?= atexit_sleep_ms=0
# Of these packages the whole is tested without the detector, and with it those tests in which all of their goroutines
# meet (a test checks that each exists): the others are long, or are of one goroutine. `make race` has all with it.
RACED_TESTS := cmd/nettplay:Chaos,TroublesAmidPlay internal/adversary:Floods,ForgedHandshakes,Flooder,MutatingClient,MutatingHost internal/chaos:Simulation \
	internal/game:MachinesAgree,RollbackThroughAGame,ConsoleFails,MachinesBeginTogether \
	internal/session:Evening,ComingLater,Garbage,BlackoutIsSurvived,DesyncIsRepaired,SpectatorSeesTheGame,KilledInTheLobby,EveryNextHostStarts \
	internal/session:LostConsoleIsReplaced,SavesOfAllPlayersAreOfOneFrame,MachineVanishes,HandoverOnABadConnection,LateJoinerVanishes,Wireless \
	internal/session:PowerOff,CheatsAreAgreedOn,KeyframesOfAWirelessGame,LeavingAmidResync,GameHostsGoAmidResync,PathsEndAmidPlay,ContinueAnotherDay \
	internal/session:ALogHasResyncs,SeekingGoesFromKeyframes,CoreCrashes,DesyncIsTraced,BisectNamesMachineAndFrame \
	internal/ui/app:TwoWindows,FirstStartOnRetroArchsCore,CloseAtEveryMoment,BackToTheRoom,PassThatFailsAsItIsStopped,DisplayHoldsUpNoGame \
	internal/ui/app:NextRoomWaits,RecordingsJobs,WillItWork,CoreThatWasMissingComes
comma     := ,
empty     :=
SOME_RACED := $(addprefix $(MODULE)/,$(sort $(foreach t,$(RACED_TESTS),$(firstword $(subst :, ,$t)))))
FUZZTIME  ?= 20s
BENCH     ?= .
COUNT     ?= 1
RUNS      ?= 12
SEED      ?= 1
JOBS      ?= 1
# Tests make consoles and schedules go wrong; the program has no code for that. Much of
# what they do is to wait: so each of the two builds, with the race detector and without it, tests
# one package more at once than there are processors.
# They start compilers and programs that Go knows nothing of, so that no result is kept.
# Linking fifty programs is a good part of it, and takes half as long without tables for
# debuggers; `make lint` vets.
TEST       = GOFLAGS='$(GOFLAGS) -ldflags=-w' $(GO) test -vet=off -tags nettplay_faults -count=1 -p $$(($$(nproc) + 1)) -timeout 15m
VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
C_FILES   := $(shell git ls-files '*.c' '*.h')
C_SOURCES := $(filter emucore/%.c internal/%.c,$(C_FILES))
C_STRICT  := -std=gnu17 -O2 -Wall -Wextra -Wconversion -Wshadow -Werror
LDFLAGS   := -X main.version=$(VERSION)
# Packages that build and are tested without cgo: they are for every system. Those with a NATS
# server in them, which is long in building, are left to `make cross`.
SYSTEM    := windows
PORTABLE   = $(shell CGO_ENABLED=0 GOOS=$(SYSTEM) $(GO) list -e -test -f '{{.ImportPath}} {{join .Deps " "}} ' ./... | awk \
	'$$2 ~ /^[[]/ { next } { p = $$1; sub(/[.]test$$/, "", p); all[p] } \
	/go-enet|go-sdl2|nettplay\/emucore |nettplay\/internal\/air / { bound[p] } \
	END { for (p in all) if (!(p in bound)) print p }')
QUICK      = %/nettplay-relay %/relay/cluster %/cluster/node

TESTED    ?= $(ALL)

.PHONY: all compatibility cross windows-spike dist distcheck figures icon build test test-raced test-plain test-pure test-process test-window soak jitsoak mixed adversary natlab relaybench relaycluster rollbackbench race fuzz lint lint-go lint-c lint-portable format asan bench airbench netbench soundbench chaos roms testcore demo clean setup-build setup-play setup-test setup-roms setup-lint setup-dist setup-cross setup-spike

all: build

setup-build setup-play setup-test setup-roms setup-lint setup-dist setup-cross setup-spike: setup-%:
	@GO='$(GO)' .ci/setup $*

build: setup-build
	$(GO) build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/nettplay
	CGO_ENABLED=0 $(GO) build -ldflags '$(LDFLAGS)' -o $(BIN)-relay ./cmd/nettplay-relay

# The tests of some packages: those without the race detector beside those with it, so that all
# processors have something to do until the end.
define test
	+@$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j2) test-raced test-plain TESTED='$(1)'
endef

test-raced:
	$(if $(filter $(RACED),$(TESTED)),$(TEST) -race $(PLAIN) $(filter $(RACED),$(TESTED)))
	$(if $(filter $(SOME_RACED),$(TESTED)),$(TEST) -race $(PLAIN) -run '^Test($(subst $(empty) $(empty),|,$(strip $(subst $(comma), ,$(foreach t,$(RACED_TESTS),$(lastword $(subst :, ,$t)))))))$$' \
		$(filter $(SOME_RACED),$(TESTED)))

test-plain:
	$(if $(filter-out $(RACED),$(TESTED)),$(TEST) $(filter-out $(RACED),$(TESTED)))

# All tests.
test: setup-test
	$(call test,$(ALL))

test-pure: setup-play
	$(call test,$(PURE))

test-process: setup-play
	$(call test,$(PROCESS))

test-window: setup-test
	$(call test,$(WINDOW))

# The same tests several times in a row and in another order each time.
race: setup-test
	$(TEST) -race $(PLAIN) -shuffle=on -count=3 -timeout 90m $(PKGS)

# The long tests: the long variants of all tests, with many seeds, long games and large
# rooms, and a thousand simulated games.
soak: setup-test
	NETTPLAY_LONG=1 NETTPLAY_SIMULATIONS=1000 $(TEST) -p 1 -timeout 240m $(PKGS)

# The JIT of the core that NETTPLAY_TEST_CORE names, melonDS DS: all test ROMs on two machines with 1 to
# 4 consoles, resyncs, late joins and replays, until FRAMES frames of consoles were compared; two hours on an
# idle machine. It begins with the seed SEED. The case of a difference is kept in bin/jitsoak.
FRAMES    ?= 1000000
jitsoak: setup-play
	@if [ -z "$$NETTPLAY_TEST_CORE" ]; then \
		echo "jitsoak: NOT RUN: NETTPLAY_TEST_CORE must name a core with a JIT: NETTPLAY_TEST_CORE=/path/to/melondsds_libretro.so make jitsoak"; exit 0; fi; \
	NETTPLAY_JITSOAK=$(FRAMES) NETTPLAY_SEEDS=$(SEED)-1000000 NETTPLAY_KEEP=$(CURDIR)/bin/jitsoak $(TEST) -timeout 24h -run '^TestJITSoak$$' -v ./emucore

# Two builds of one core, CORE_A and CORE_B, on two machines: FRAMES frames of consoles alone and on
# the air, with states of either build loaded by both, late joins and replays. As for jitsoak.
mixed: setup-play
	@if [ -z "$(CORE_A)" ] || [ -z "$(CORE_B)" ]; then \
		echo "mixed: NOT RUN: name two builds: make mixed CORE_A=/path/to/one.so CORE_B=/path/to/other.so"; exit 0; fi; \
	NETTPLAY_MIXED=$(FRAMES) NETTPLAY_CORE_A=$(CORE_A) NETTPLAY_CORE_B=$(CORE_B) NETTPLAY_SEEDS=$(SEED)-1000000 NETTPLAY_KEEP=$(CURDIR)/bin/mixed $(TEST) -timeout 24h -run '^TestMixedSoak$$' -v ./emucore

# Attacks: whole rooms against machines that send what nobody should, floods with figures,
# and the tests of single parts that hold against hostile datagrams, messages, cores and files.
ATTACKS := Bounded|Crowd|Damage|FirstWall|Flood|Forge|Garbage|Guess|Hostile|Killed|Liar|Lies|Mutat|Mute|Refus|Silent|Stranger
adversary: setup-play
	NETTPLAY_ADVERSARY=100 $(TEST) -v ./internal/adversary
	NETTPLAY_LONG=1 $(TEST) -run Killed ./internal/saves
	$(TEST) -run '$(ATTACKS)' $(filter-out %/adversary,$(PROCESS) $(PURE))

# Friends meet through a router that a real miniupnpd opens, in network namespaces. As
# root, with the packages iproute2, nftables and miniupnpd.
natlab: setup-play
	NETTPLAY_NATLAB=1 $(TEST) -count=1 -timeout 40m -parallel 12 -run "^(TestNATLab|TestPlayOnlineWithoutUDP|TestPairsOfRouters|TestTroublesAmidPlay|TestNextHostIsMet|TestNarrowPathsOfThree)$$" -v ./cmd/nettplay

# A relay under the load of a thousand rooms, beside a program that only passes datagrams on; and
# under floods.
relaybench: setup-build
	NETTPLAY_RELAYBENCH=1 $(GO) test -count=1 -run '^Test(Load|Flood)$$' -v ./internal/relay/service

# The cost of rollback on this machine: snapshots, ways back, and how many frames fit into one.
# NETTPLAY_TEST_CORE names a further core.
rollbackbench: setup-play
	NETTPLAY_ROLLBACKBENCH=100 $(TEST) -run '^TestRollbackBench' -timeout 60m -v ./emucore

# Three relays and three nodes of NATS as processes: 200 rooms play while a relay, and then a
# node, is killed.
relaycluster: setup-build
	NETTPLAY_RELAYCLUSTER=1 $(GO) test -count=1 -timeout 10m -run 'IsKilled$$' -v ./cmd/nettplay-relay

# Every fuzz target for FUZZTIME.
fuzz: setup-play
	@set -e; for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "== $$pkg $$f"; \
			$(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$pkg; \
		done; done

# Layout, vet, staticcheck, and the C with every warning an error. clang-format and
# clang-tidy come from `.ci/setup lint`; without them their part is left out. The test
# ROMs' warnings are errors when a test builds them anew.
lint: lint-go lint-c lint-portable

lint-go: setup-build
	@out=$$($(GO) tool gofumpt -l .); [ -z "$$out" ] || { echo "gofumpt would change:"; echo "$$out"; exit 1; }
	$(GO) vet -tags nettplay_faults ./...
	$(GO) tool staticcheck -tags nettplay_faults ./...

# Code that is Linux' own stands in files that say so; the rest builds and is vetted elsewhere.
lint-portable: setup-build
	CGO_ENABLED=0 GOOS=$(SYSTEM) $(GO) vet $(filter-out $(QUICK),$(PORTABLE))

lint-c: setup-build
	@for f in $(C_SOURCES); do $(CC) $(C_STRICT) -Iinternal/air -c -o /dev/null $$f || exit 1; done
	@if command -v clang-format >/dev/null; then clang-format --dry-run -Werror $(C_FILES); \
	else echo "lint-c: no clang-format, layout is left out"; fi
	@if command -v clang-tidy >/dev/null; then ls emucore/*.c internal/air/*.c | \
		xargs -n 4 -P $$(nproc) .ci/tidy; \
	else echo "lint-c: no clang-tidy, it is left out"; fi

# Lays out all sources.
format:
	$(GO) tool gofumpt -w .
	clang-format -i $(C_FILES)

# The C under its tests with gcc's address and undefined behaviour sanitizers: the air,
# and workers with real cores and the test core in them. The harness of the test core
# switches stacks, which the first does not follow.
UBSAN := -g -O1 -w -fsanitize=undefined -fno-sanitize-recover=all
asan: setup-play
	CGO_CFLAGS='$(UBSAN)' CGO_LDFLAGS=-fsanitize=undefined CFLAGS='-std=gnu17 $(UBSAN) -fsanitize=address' \
		$(GO) test -count=1 -asan -timeout 20m ./internal/air ./emucore
	CFLAGS='-std=gnu17 $(UBSAN)' $(GO) test -count=1 -timeout 20m ./emucore/testcore

# For other systems and processors: what needs no cgo is vetted for Windows, all of it is
# built for Linux on arm64, with Debian's libraries unpacked below bin/, and packages that decide
# what consoles get are tested there under qemu-user. It runs no worker: qemu-user knows no seccomp,
# and a worker without its filter starts no core.
ARM64     := $(CURDIR)/bin/arm64
ARM64_CC  := aarch64-linux-gnu-gcc --sysroot=$(ARM64)/root
ARM64_ENV := GOARCH=arm64 CGO_ENABLED=1 CC='$(ARM64_CC)' PKG_CONFIG_SYSROOT_DIR=$(ARM64)/root \
	PKG_CONFIG_LIBDIR=$(ARM64)/root/usr/lib/aarch64-linux-gnu/pkgconfig:$(ARM64)/root/usr/share/pkgconfig
ARM64_PKGS := inputdelay mirror internal/wire internal/ds internal/desync emucore/coredata
cross: setup-cross
	$(MAKE) lint-portable QUICK= SYSTEM=windows
	[ -e $(ARM64)/done ] || packaging/cross/sysroot.sh arm64 $(ARM64) libc6-dev libsdl2-dev libenet-dev
	for f in $(C_SOURCES); do $(ARM64_CC) $(C_STRICT) -Iinternal/air -c -o /dev/null $$f || exit 1; done
	$(ARM64_ENV) $(GO) build ./...
	$(ARM64_ENV) $(GO) test -count=1 -short -vet=off -exec 'qemu-aarch64 -L $(ARM64)/root' $(addprefix ./,$(ARM64_PKGS))

# A console on Windows, as far as docs/decisions/0055-windows.md has tried it: the test core as a
# DLL, in a worker of emucore's portable C, gives what it gives here for 60 frames. Built by
# mingw-w64 and run by Wine; without them it says so and does nothing.
MINGW     := x86_64-w64-mingw32-gcc
WINE64    ?= $(firstword $(shell command -v wine64 wine) $(wildcard /usr/lib/wine/wine64))
SPIKE     := $(CURDIR)/bin/windows
SPIKE_C    = $(filter-out %_linux.c %_asan.c,$(wildcard emucore/*.c internal/air/*.c))
SPIKE_CORE = $(filter-out %/clocks.c %/escape.c %/fault.c,$(wildcard emucore/testcore/src/*.c))
windows-spike: setup-play
	@if ! command -v $(MINGW) >/dev/null || [ -z "$(WINE64)" ]; then \
		echo "windows-spike: NOT RUN: it takes the packages gcc-mingw-w64-x86-64 and wine64"; exit 0; fi; \
	set -ex; mkdir -p $(SPIKE); \
	$(MINGW) $(C_STRICT) -D__USE_MINGW_ANSI_STDIO=1 -static-libgcc -o $(SPIKE)/spike.exe packaging/windows/parent.c packaging/windows/worker_windows.c $(SPIKE_C); \
	$(MINGW) $(C_STRICT) -static-libgcc -fvisibility=hidden -shared -o $(SPIKE)/testcore.dll packaging/windows/faults.c $(SPIKE_CORE); \
	WINEPREFIX=$(SPIKE)/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' NETTPLAY_SPIKE='$(WINE64) $(SPIKE)/spike.exe $(SPIKE)/testcore.dll' \
		$(GO) test -count=1 -run '^TestWindowsSpike$$' -v ./emucore

# All that is published of a version, in dist/: packages, a portable archive and a list of hashes,
# signed by the minisign key in the file KEY. distcheck tries it all on bare Debians, as root.
dist: setup-dist
	GO='$(GO)' KEY='$(KEY)' packaging/dist.sh

distcheck: dist
	GO='$(GO)' packaging/distcheck.sh

# Start and memory of the package beside RetroArch's, in docs/figures.md. As root, on an idle machine.
figures: dist
	GO='$(GO)' packaging/figures.sh

# The table of docs/compatibility.md for the test ROMs, or for the games of a folder: make compatibility GAMES=folder CORE=desmume
GAMES ?= roms-test
CORE ?= melonds
compatibility: build
	bin/nettplay doctor --rom '$(GAMES)' --core '$(CORE)'

# The window's own icon, as it is drawn.
icon: setup-dist
	rsvg-convert -w 128 packaging/icons/nettplay.svg -o internal/ui/window/icon.png

# Figures in bin/bench.txt, and benchstat's table of them; "go tool benchstat OLD.txt bin/bench.txt"
# compares. One package at a time, since they would disturb each other.
bench: setup-play
	@mkdir -p bin
	$(GO) test -p 1 -run '^$$' -bench '$(BENCH)' -benchmem -count=$(COUNT) -timeout 60m ./... | tee bin/bench.txt
	$(GO) tool benchstat bin/bench.txt
	@! grep '^FAIL' bin/bench.txt

# The cost of a frame of four consoles on the air at the DS' speed, of AIRFRAMES frames of each game on
# the core in NETTPLAY_TEST_CORE.
AIRFRAMES ?= 1800
airbench: setup-play
	NETTPLAY_AIRBENCH=$(AIRFRAMES) $(TEST) -count=1 -timeout 60m -run '^TestAirBench$$' -v ./internal/game

# Gaps and latency of the sound that a null sink of PulseAudio takes.
soundbench: setup-play
	NETTPLAY_SOUNDBENCH=1 $(GO) test -count=1 -v -run TestSoundbench ./internal/ui/sound

# Figures of play over bad lines: real processes over impairing relays, beside bare ENet. Written
# into docs/ when all cases are played; CASES are patterns of some cases' names, NETBENCH are flags
# (-help lists them), FULL=1 plays longer. On a machine that does other things too, NETBENCH_BY='chrt -r 1'
# as root goes before them.
netbench: setup-play
	$(GO) build -o bin/netbench ./internal/netbench/cmd/netbench
	@$(NETBENCH_BY) bin/netbench $(if $(FULL),-full) $(if $(CASES)$(NETBENCH),,-docs docs) $(NETBENCH) $(CASES)

# RUNS random games between real processes over bad lines, in which much goes wrong:
# the first by SEED, each by the next one. CHAOS=-long also lets lines be dark for 40 s,
# CHAOS=-race builds with the race detector.
chaos: setup-play
	@$(GO) run ./internal/chaos/cmd/chaos -runs $(RUNS) -seed $(SEED) -jobs $(JOBS) $(CHAOS)

roms: setup-roms
	$(MAKE) -C roms-test

testcore:
	$(MAKE) -C emucore/testcore

demo: setup-play build
	$(BIN) demo

clean:
	rm -rf bin demo-out emucore/testcore/testcore_libretro.so "$${XDG_CACHE_HOME:-$$HOME/.cache}/nettplay-testcore"
	$(GO) clean -testcache
