package launch

import (
	"context"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// checks is a machine with the test core, and what it was told.
func checks(t *testing.T) (m Machine, told *[]Checking) {
	t.Helper()
	core, err := emucore.OpenCore(t.Context(), testcore.Path(t))
	must.Succeed(t, err)
	told = new([]Checking)
	return Machine{
		Settings: settings(), Core: core, Places: config.Places{CoreVerdicts: filepath.Join(t.TempDir(), "verdicts")},
		Checking: func(k Checking) { *told = append(*told, k) },
	}, told
}

func start(t *testing.T, m Machine) error {
	t.Helper()
	s, err := m.Play(t.Context(), Play{Solo: &Solo{Consoles: 1}, Input: nothing})
	if err == nil {
		s.Config.Link.Close()
	}
	return err
}

// TestCheckAtFirstUse: a core that is new is checked once, and the player hears of it.
func TestCheckAtFirstUse(t *testing.T) {
	must.HaveLinux(t, "a core without a name asks for trust first")
	m, told := checks(t)
	must.Succeed(t, start(t, m))
	list := *told
	if len(list) < 3 || list[0].Done != 0 || list[0].All == 0 || !strings.Contains(list[0].Words, "is new on this computer") {
		t.Fatalf("told %+v", list)
	}
	if last := list[len(list)-1]; last.All != 0 || !strings.HasPrefix(last.Words, "Your core, nettplay test core, passed its check, but: The consoles did not hear each other by radio") {
		t.Errorf("at the end: %+v", last)
	}
	*told = nil
	if err := start(t, m); err != nil || len(*told) > 0 {
		t.Errorf("the second time: %v, told %+v", err, *told)
	}
}

// TestAsksFirst: where no wall around a core is known to hold, a player is asked about each that we do not name by its
// hash, once.
func TestAsksFirst(t *testing.T) {
	sum, err := hex.DecodeString("87742ceaedf04ddab30d59905a44e0b315e194d7d970372c04645825a7c80c61")
	must.Succeed(t, err)
	named, other := emucore.Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte(sum)}, emucore.Core{Name: "DeSmuME", Version: "SVN"}
	if named.Standing() != emucore.Proven {
		t.Fatal("this file is not named any more")
	}
	for _, tt := range []struct {
		walls, checked bool
		core           emucore.Core
		want           bool
	}{
		{walls: false, core: other, want: true},
		{walls: false, core: other, checked: true, want: false},
		{walls: false, core: named, want: false},
		{walls: true, core: other, want: false},
	} {
		if got := asksFirst(tt.walls, tt.core, tt.checked); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestPassedWords: a player whose core is new reads whether it is good, and nothing else; a limit is said as one.
func TestPassedWords(t *testing.T) {
	core := emucore.Core{Name: "melonDS DS", Version: "1.2.0"}
	good := corecheck.Verdict{Results: [4]corecheck.Result{corecheck.Passed, corecheck.Passed, corecheck.Passed, corecheck.Passed}}
	if got := passedWords(core, good); got != "Your core, melonDS DS, passed its check: it is good to play with." {
		t.Error(got)
	}
	limited := corecheck.Verdict{Results: [4]corecheck.Result{corecheck.Passed, corecheck.Lacking}, Why: "The core cannot save states."}
	if got := passedWords(core, limited); got != "Your core, melonDS DS, passed its check, but: The core cannot save states." {
		t.Error(got)
	}
}

// TestNoRollback: a room on a core whose consoles do not go back as they must is opened with everyone waiting, and the player
// hears of it. Of a core that was not tried in that, the profile decides; a player may try one.
func TestNoRollback(t *testing.T) {
	must.HaveLinux(t, "there is no rollback")
	m, told := checks(t)
	m.Settings.Room.Sync = config.Rollback
	open := func() session.Config {
		s, err := m.Play(t.Context(), Play{Host: &Host{}, Input: nothing})
		must.Succeed(t, err)
		s.Config.Link.Close()
		return s.Config
	}
	book := corecheck.OpenBook(m.Places.CoreVerdicts)
	for _, tt := range []struct {
		back        corecheck.Result
		sync        room.Sync
		depth, five int // and where five are asked for
	}{
		{corecheck.Passed, room.Rollback, rollback.MaxDepth, 5},
		{corecheck.NotTried, room.Rollback, 0, 5},
		{corecheck.Lacking, room.Lockstep, 0, 0},
	} {
		must.Succeed(t, book.Keep(corecheck.Verdict{Core: m.Core.SHA256, Results: [4]corecheck.Result{corecheck.Back: tt.back}}))
		*told = nil
		cfg := open()
		said := len(*told) == 1 && strings.HasPrefix((*told)[0].Words, "Rollback is not possible with nettplay test core")
		if cfg.Host.Settings.Sync != tt.sync || cfg.Depth != tt.depth || Depth(m.Places, m.Core, 5) != tt.five || said != (tt.back == corecheck.Lacking) {
			t.Errorf("%v: sync %v, depth %d, told %+v", tt.back, cfg.Host.Settings.Sync, cfg.Depth, *told)
		}
	}
}

// TestFailedCore: no room is opened with it until the player wants it, and then it is not asked
// again, but said.
func TestFailedCore(t *testing.T) {
	m, told := checks(t)
	v := corecheck.Verdict{Core: m.Core.SHA256, Results: [4]corecheck.Result{corecheck.Failed}, Why: "It differs."}
	must.Succeed(t, corecheck.OpenBook(m.Places.CoreVerdicts).Keep(v))
	var failed *corecheck.FailedError
	if err := start(t, m); !errors.As(err, &failed) || failed.Verdict != v || len(*told) > 0 {
		t.Fatalf("%v, told %+v", err, *told)
	}
	m.AnyCore = true
	for range 2 {
		*told = nil
		if err := start(t, m); err != nil || len(*told) != 1 || !strings.Contains((*told)[0].Words, "failed its check. It differs.") {
			t.Errorf("%v, told %+v", err, *told)
		}
		m.AnyCore = false
	}
}

// TestCheckIsNoGate: what keeps a core from being checked keeps nobody from playing; a player who
// leaves meanwhile is out at once.
func TestCheckIsNoGate(t *testing.T) {
	must.HaveLinux(t, "a core without a name asks for trust first")
	m, told := checks(t)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	if err := start(t, m); err != nil || len(*told) != 1 || !strings.Contains((*told)[0].Words, "could not be checked") {
		t.Errorf("%v, told %+v", err, *told)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := m.Play(ctx, Play{Solo: &Solo{Consoles: 1}, Input: nothing}); !errors.Is(err, context.Canceled) {
		t.Errorf("the player has left: %v", err)
	}
}
