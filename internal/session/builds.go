package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/savestate"
)

// Machines with different builds of one core. Their fingerprints say that both do the same; that a state of
// one also loads in the other is found out here, before they play: each machine makes a small state of
// a program of ours, offers it to those with another build, and tries theirs. A game host hands
// on what its clients offer. Nothing of it is about a game: whoever lies about their build or their
// state gets a room that does not start, or one that comes apart and says so.

// StateTrial is a state that our build has made, and tries others'; see [corecheck.Trial].
type StateTrial interface {
	State() emucore.State
	Try(ctx context.Context, state []byte) error
}

// builds is what this machine knows of the room's builds of the core.
type builds struct {
	differ  bool // those who are here have other builds than we, and states of them can be tried
	trial   StateTrial
	making  bool                // our state is being made
	again   time.Time           // before then nothing is tried that could not be tried last time
	failed  string              // why our state could not be made; "" where nothing failed yet
	untried map[[32]byte]string // by build: why its state could not be tried, the last time
	began   map[[32]byte]bool   // the builds with which the game began: all machines then have tried them
	own     savestate.Manifest
	states  [ds.MaxMachines]*trialState // others' states, by machine
	trying  bool
	tried   map[[32]byte]string // by build: what is wrong with its states, "" for nothing
	warned  bool                // of builds that differ, after desyncs
}

// tryAgain is the time after which a trial is made anew that could not be made: for want of space on the disk, say, or
// because the core's file was gone for a moment.
const tryAgain = 3 * time.Second

// trialState is a state of another machine's build. Its offer may come before the room says who that machine is, since
// both take streams of their own: until then it is kept, and nothing is done with it.
type trialState struct {
	manifest savestate.Manifest
	met      bool // the machine was in the room with that build
	fetching bool
}

func (s *trialState) part() savestate.Part { return s.manifest.Parts[0] }

// coreFacts are what this program knows of cores, for hints.
var coreFacts = room.CoreFacts{
	Package: func(core string) string { return emucore.ProfileFor(core).Package }, // of Debian
	Known: func(id room.CoreID) (alike, known bool) {
		return emucore.Core{Name: id.Name, Version: id.Version, SHA256: id.SHA256, Fingerprint: id.Fingerprint}.LikeKnown()
	},
}

// seeBuilds looks at the room's builds when the room has changed.
func (s *session) seeBuilds() {
	r := s.room.Room()
	s.builds.differ = s.triesStates() && slices.ContainsFunc(r.Players, func(p room.Player) bool { return p.Present && p.Build != s.cfg.Core.SHA256 })
	for machine, x := range s.builds.states {
		switch {
		case x == nil:
		case s.offers(machine, x.manifest.Core):
			x.met = true
		case x.met:
			s.builds.states[machine] = nil // another machine of that number, or it plays on another build now
		}
	}
}

// offers tells whether another machine is in the room with a build of the core.
func (s *session) offers(machine int, build [32]byte) bool {
	p, here := s.room.Room().Player(machine)
	return here && p.Present && p.Build == build && machine != s.me()
}

// wantedBuilds are the machines whose builds are to be tried here: all others' in the lobby, and
// while a game runs those of who comes in and of the game host, with one machine for each build.
func (s *session) wantedBuilds() (machines []int) {
	r := s.room.Room()
	seen := map[[32]byte]bool{s.cfg.Core.SHA256: true}
	waits := s.client != nil && s.client.Waiting()
	for _, p := range r.Players {
		if !p.Present || p.Local > 0 || p.Machine == s.me() || seen[p.Build] {
			continue
		}
		if r.Phase != room.PhaseLobby {
			coming := s.host != nil && len(s.host.Plans(p.Machine)) > 0 || waits && p.Machine == s.gameHost
			if !coming {
				continue
			}
		}
		seen[p.Build] = true
		machines = append(machines, p.Machine)
	}
	return machines
}

// buildsTried reports whether states of all builds that are wanted have loaded here.
func (s *session) buildsTried() bool {
	if !s.builds.differ {
		return true
	}
	for _, machine := range s.wantedBuilds() {
		if why, tried := s.triedBuildOf(machine); !tried || why != "" {
			return false
		}
	}
	return true
}

// triedBuildOf tells what came of the trial of a machine's build, "" when its state loaded.
func (s *session) triedBuildOf(machine int) (why string, tried bool) {
	p, _ := s.room.Room().Player(machine)
	if p.Build == s.cfg.Core.SHA256 || !s.triesStates() {
		return "", true
	}
	why, tried = s.builds.tried[p.Build]
	if why != "" {
		why = fmt.Sprintf("a state of %s's %s (build %x) does not do on %s's (build %x): %s. Both must get the same build %s",
			p.Nickname, s.cfg.Core.Name, p.Build[:4], s.room.Me().Nickname, s.cfg.Core.SHA256[:4], why, room.GetCores)
	}
	return why, tried
}

// buildsProblem is the problem of this machine with the others' builds, "" for none.
func (s *session) buildsProblem() (room.Cause, string) {
	if !s.builds.differ {
		return 0, ""
	}
	waits := ""
	for _, machine := range s.wantedBuilds() {
		p, _ := s.room.Room().Player(machine)
		switch why, tried := s.triedBuildOf(machine); {
		case why != "":
			return room.CauseBuild, why
		case s.builds.untried[p.Build] != "":
			return room.CauseOther, fmt.Sprintf("could not try whether a state of %s's build of the core loads here (%s), and tries again", p.Nickname, s.builds.untried[p.Build])
		case !tried && s.builds.failed != "":
			return room.CauseOther, fmt.Sprintf("could not make a state for those with another build of the core (%s), and tries again", s.builds.failed)
		case !tried && waits == "":
			waits = "is still trying whether a state of " + p.Nickname + "'s build of the core loads here"
		}
	}
	if waits == "" {
		return 0, ""
	}
	return room.CauseCheck, waits
}

// triesStates reports whether this session can: with consoles that are no workers it does not.
func (s *session) triesStates() bool { return s.cfg.Trial != nil || s.cfg.Start == nil }

// newTrial makes our state. It runs on any goroutine.
func (c Config) newTrial(ctx context.Context) (StateTrial, error) {
	if c.Trial != nil {
		return c.Trial(ctx, c.Core)
	}
	return corecheck.NewTrial(ctx, corecheck.Config{Core: c.Core, Tweak: c.assembly().Tweak})
}

// workBuilds moves the trials on. It costs nothing while all have the same build.
func (s *session) workBuilds(now time.Time) {
	if !s.builds.differ || s.room.Room().Phase == room.PhasePreparing {
		return
	}
	if s.builds.trial == nil {
		s.makeState(now)
		return
	}
	s.offerStates()
	s.fetchStates(now)
}

// makeState makes our own state, once it can be made.
func (s *session) makeState(now time.Time) {
	if s.builds.making || now.Before(s.builds.again) {
		return
	}
	s.builds.making = true
	cfg, ctx := s.cfg, s.ctx
	s.Background(func() (func(), func()) {
		trial, err := cfg.newTrial(ctx)
		return func() {
			s.builds.making = false
			if err == nil {
				s.builds.trial, s.builds.failed = trial, ""
				return
			}
			if s.builds.failed == "" {
				s.Say("Your core's states could not be tried with the others' builds: %v", err)
			}
			s.builds.failed, s.builds.again = err.Error(), time.Now().Add(tryAgain)
			s.reportStatus(time.Now())
		}, nil
	})
}

// describeState puts our state into the store, where a start or a resync may have thrown it out.
func (s *session) describeState() bool {
	if len(s.builds.own.Parts) > 0 && s.assembler.Store().Has(s.builds.own.Parts[0]) && s.builds.own.Seat == ds.Seat(s.me()) {
		return true
	}
	state := s.builds.trial.State()
	part, err := s.assembler.Store().Put(savestate.KindState, state.Data)
	if err != nil {
		return false // there is room another time
	}
	s.builds.own = savestate.Manifest{
		Seat: ds.Seat(s.me()), Frame: state.Frame, Core: s.cfg.Core.SHA256, ROM: [32]byte{1},
		Firmware: s.cfg.Firmware, Parts: []savestate.Part{part},
	}
	return true
}

// offerStates offers our state to whoever is connected and has another build, and hands on those
// that are here.
func (s *session) offerStates() {
	if !s.describeState() {
		return
	}
	list := []savestate.Manifest{s.builds.own}
	if s.host != nil {
		for _, x := range s.builds.states {
			if x != nil && x.met && s.assembler.Store().Has(x.part()) {
				list = append(list, x.manifest)
			}
		}
	}
	for _, p := range s.room.Room().Players {
		if !p.Present || p.Local > 0 || !s.assembler.Connects(p.Machine) {
			continue
		}
		if _, connected := s.bulkPeer(p.Machine); !connected {
			continue
		}
		for _, m := range list {
			through := s.client != nil // the game host hands it on to those with another build
			if m.Core != p.Build && int(m.Seat) != p.Machine || through {
				_ = s.assembler.Exchange(p.Machine).OfferTrial(m) // valid
			}
		}
	}
}

// trialEvent takes what an exchange tells about trial states. An error is that machine's fault.
func (s *session) trialEvent(from int, told savestate.Event) (about bool, err error) {
	switch e := told.(type) {
	case savestate.TrialReceived:
		return true, s.noteTrialState(from, e.Manifest)
	case savestate.PartDone:
		x := s.stateOf(e.Part)
		return x != nil && x.fetching, nil // fetchStates sees it
	case savestate.PartFailed:
		x := s.stateOf(e.Part)
		if x == nil || !x.fetching {
			return false, nil
		}
		x.fetching = false
		if e.Garbage {
			return true, fmt.Errorf("fetching the state of its build: %w", e.Err)
		}
		s.builds.states[x.manifest.Seat] = nil // it is offered again, or not
		return true, nil
	}
	return false, nil
}

func (s *session) stateOf(p savestate.Part) *trialState {
	for _, x := range s.builds.states {
		if x != nil && x.part() == p {
			return x
		}
	}
	return nil
}

// noteTrialState notes a state that a machine offers: its own, or, from the game host, anybody's.
func (s *session) noteTrialState(from int, m savestate.Manifest) error {
	owner := int(m.Seat)
	if owner != from && from != s.gameHost {
		return fmt.Errorf("trial state of machine %d, which is not its own", owner)
	}
	if len(m.Parts) != 1 || m.Parts[0].Kind != savestate.KindState {
		return errors.New("trial state: parts: not one state")
	}
	if x := s.builds.states[owner]; x == nil || x.manifest.Core != m.Core || x.part() != m.Parts[0] {
		s.builds.states[owner] = &trialState{manifest: m, met: s.offers(owner, m.Core)}
	}
	return nil
}

// fetchStates fetches the states that are wanted, or to be handed on, and tries them, one at a time.
func (s *session) fetchStates(now time.Time) {
	wanted := map[int]bool{}
	for _, machine := range s.wantedBuilds() {
		wanted[machine] = true
	}
	store := s.assembler.Store()
	for machine, x := range s.builds.states {
		if x == nil || !x.met {
			continue
		}
		if !store.Has(x.part()) {
			source := machine
			if s.client != nil {
				source = s.gameHost
			}
			_, known := s.builds.tried[x.manifest.Core]
			needed := wanted[machine] && !known || s.host != nil && s.room.Room().BuildsDiffer()
			if needed && !x.fetching {
				x.fetching = true
				s.assembler.Exchange(source).Fetch(x.manifest.Parts)
			}
			continue
		}
		x.fetching = false
		if _, known := s.builds.tried[x.manifest.Core]; wanted[machine] && !known && !s.builds.trying && !now.Before(s.builds.again) {
			s.try(x.manifest)
		}
	}
}

// try tries a state that is here.
func (s *session) try(m savestate.Manifest) {
	raw, ok := s.assembler.Store().Get(m.Parts[0].SHA256)
	if !ok {
		return
	}
	s.builds.trying = true
	if s.builds.tried == nil {
		s.builds.tried, s.builds.untried = map[[32]byte]string{}, map[[32]byte]string{}
	}
	trial, ctx := s.builds.trial, s.ctx
	s.Background(func() (func(), func()) {
		err := trial.Try(ctx, raw)
		return func() {
			s.builds.trying = false
			if err != nil && !corecheck.Refused(err) { // which says nothing of the other's build
				s.builds.untried[m.Core], s.builds.again = err.Error(), time.Now().Add(tryAgain)
				s.reportStatus(time.Now())
				return
			}
			delete(s.builds.untried, m.Core)
			s.builds.tried[m.Core] = ""
			if err != nil {
				s.builds.tried[m.Core] = err.Error()
			}
			s.reportStatus(time.Now())
			s.offerConsoles()
		}, nil
	})
}

// noteBuilds notes the builds with which a game begins. Of those, all machines that begin it have tried each
// other's. Who comes later has tried the game host's alone, and nobody but the game host theirs: that is enough while
// their machine gives no states, since the game host gives those with which it comes in.
func (s *session) noteBuilds() {
	s.builds.began = map[[32]byte]bool{s.cfg.Core.SHA256: true}
	for _, p := range s.room.Room().Players {
		s.builds.began[p.Build] = true
	}
}

// everybodyLoads reports whether all machines of the game have tried a state of a machine's build.
func (s *session) everybodyLoads(machine int) bool {
	p, here := s.room.Room().Player(machine)
	return !here || s.builds.began[p.Build]
}

// tellBuilds says, after the second desync of machines whose builds differ, who has which.
func (s *session) tellBuilds(now time.Time) {
	r := s.room.Room()
	if s.desyncs < 2 || s.builds.warned || !r.BuildsDiffer() {
		return
	}
	s.builds.warned = true
	s.host.Tell(now, fmt.Sprintf("The computers no longer agree, and their builds of %s differ: %s. Play the next game on equal builds %s.",
		room.JoinWords(r.Settings.Core.Name, r.Settings.Core.Version), r.BuildsWords(), room.GetCores))
}
