package app

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Scenes of the screen of the cores, and of what leads to it.

var (
	releases = config.Defaults().Core.Sources[0]
	nightly  = config.Defaults().Core.Sources[1]
)

func coreSource(text string) corestore.Source {
	s, err := config.ParseCoreSource(text)
	if err != nil {
		panic(err)
	}
	return s
}

// keptBuild is a core that was got.
func keptBuild(version string, sum byte, released time.Time) corestore.Build {
	return corestore.Build{
		Name: "melondsds",
		Core: emucore.Core{
			Path: "/home/ann/.local/share/nettplay/cores/melondsds/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08/melondsds_libretro.so",
			Name: "melonDS DS", Version: version, Wireless: true, SHA256: [32]byte{sum, 0x86, 0xd0, 0x81, 31: sum}, Size: 9 << 20,
		},
		Origin: corestore.Origin{Source: releases, URL: "https://github.com/a.zip", Version: version, Date: released},
	}
}

// coreOffers are offers of both sources.
func coreOffers() []corestore.Offer {
	return []corestore.Offer{
		{Source: coreSource(releases), Name: "melondsds", Version: "1.3.1", Date: now, URL: "https://github.com/JesseTG/melonds-ds/releases/download/v1.3.1/melondsds_libretro-linux-x86_64-Release.zip", Size: 5_300_000},
		{Source: coreSource(nightly), Name: "melondsds", Date: now, CRC32: 7, URL: "https://buildbot.libretro.com/nightly/linux/x86_64/latest/melondsds_libretro.so.zip"},
		{Source: coreSource(nightly), Name: "desmume", Date: now, CRC32: 8, URL: "https://buildbot.libretro.com/nightly/linux/x86_64/latest/desmume_libretro.so.zip"},
		{Source: coreSource(nightly), Name: "melonds_with_a_rather_long_name_of_its_own", Date: now, CRC32: 9, URL: "https://buildbot.libretro.com/nightly/linux/x86_64/latest/melonds_libretro.so.zip"},
	}
}

// coresScene is the screen of the cores with two cores there, in some state.
func coresScene(change func(m *Shell)) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		kept := keptBuild("1.2.0", 0x9f, now.AddDate(-1, 0, 0))
		desmume := emucore.Core{Path: "/usr/lib/x86_64-linux-gnu/libretro/desmume_libretro.so", Name: "DeSmuME", Version: "SVN git+dfsg-1", SHA256: [32]byte{0x87, 0x74}}
		long := emucore.Core{Path: "/home/ann/.var/app/org.libretro.RetroArch/config/retroarch/cores/melonds_libretro.so", Name: "A core whose name is as long as names of cores may well be", Version: "Git 0123456789abcdef", SHA256: [32]byte{0x11}}
		m.CoreFound(screen.Core{Found: true, Core: kept.Core, All: []emucore.Core{kept.Core, desmume, long}, Kept: []corestore.Build{kept}})
		m.Go(screen.Cores)
		calls(m)
		if change != nil {
			change(m)
		}
	})
}

// refusedFor is a room that did not let us in for our core, which is from a source.
func refusedFor(source string) *notice.Failure {
	used := hostroom.UsedCore{
		CoreID: hostroom.CoreID{Name: "melonDS DS", Version: "1.3.1", SHA256: [32]byte{0x44, 0x55}},
		Source: hostroom.CoreSource{Name: source, Version: "1.3.1"},
	}
	r, _ := hostroom.CoreRefusal(used, hostroom.CoreID{Name: "melonDS DS", Version: "1.2.0", SHA256: [32]byte{0x9f}}, hostroom.CoreFacts{}, "")
	return notice.Refused(r).(*notice.Failure)
}

// failedGet is what a player reads whose network answers in the place of the source.
var failedGet = &corestore.Failure{Reason: corestore.Untrusted, Host: "buildbot.libretro.com", What: "asking buildbot.libretro.com for its list of cores", Why: "the server that answered could not prove that it is buildbot.libretro.com"}

func coreScenes() []scene {
	welcome := func(c screen.Core) *Shell {
		m := newShell(config.Defaults(), memory.Memory{}, "1.0", fontStore())
		m.CoreFound(c)
		fullShelf(m)
		return m
	}
	desmume := emucore.Core{Path: "/b", Name: "DeSmuME", Version: "git"}
	asked := func(m *Shell) { m.cores.Find(); m.cores.Found(coreOffers(), nil) }
	return []scene{
		{"cores", large, coresScene(nil)},
		{"cores-small", small, coresScene(func(m *Shell) { slices.Reverse(m.Core.All) })},
		{"cores-offers", tall, coresScene(asked)},
		{"cores-offers-small", small, coresScene(asked)},
		{"cores-silent", tall, coresScene(func(m *Shell) {
			m.cores.Find()
			m.cores.Found(coreOffers()[:1], []error{failedGet})
		})},
		{"cores-none", small, atHome(func(m *Shell) {
			m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{})})
			m.Go(screen.Cores)
		})},
		{"cores-asking", small, coresScene(func(m *Shell) { m.cores.Find() })},
		{"cores-question", small, coresScene(func(m *Shell) {
			m.cores.Take(coreOffers()[0])
			m.cores.Chosen(coreOffers()[0])
		})},
		{"cores-getting", small, coresScene(func(m *Shell) {
			m.cores.Take(coreOffers()[0])
			m.cores.Chosen(coreOffers()[0])
			m.Answer(true)
			m.cores.Moved(corestore.Progress{Done: 2_100_000, Total: 5_300_000})
		})},
		{"cores-checking", small, coresScene(func(m *Shell) {
			m.cores.Take(coreOffers()[0])
			m.cores.Chosen(coreOffers()[0])
			m.Answer(true)
			m.cores.Moved(corestore.Progress{Stage: corestore.Checking})
		})},
		{"cores-failed", small, coresScene(func(m *Shell) {
			m.cores.Take(coreOffers()[1])
			m.cores.Failed(failedGet)
		})},
		{"cores-remove", small, coresScene(func(m *Shell) { m.cores.AskRemove() })},
		{"welcome-no-wireless", small, func(t *testing.T) *Shell {
			return welcome(screen.Core{Found: true, Core: desmume, All: []emucore.Core{desmume}})
		}},
		{"welcome-wireless-here", tall, func(t *testing.T) *Shell {
			return welcome(screen.Core{Found: true, Core: desmume, All: []emucore.Core{keptBuild("1.2.0", 1, now).Core, desmume}})
		}},
		{"welcome-no-core", tall, func(t *testing.T) *Shell {
			return welcome(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
		}},
		{"welcome-question", small, func(t *testing.T) *Shell {
			m := welcome(screen.Core{Found: true, Core: desmume, All: []emucore.Core{desmume}})
			m.cores.GetWireless(nil)
			m.cores.Chosen(coreOffers()[0])
			return m
		}},
		{"ended-other-core", small, joinEnded(refusedFor("elsewhere"))},
		{"ended-get-core", small, joinEnded(refusedFor("melonds-ds"))},
		{"ended-get-question", small, func(t *testing.T) *Shell {
			m := joinEnded(refusedFor("melonds-ds"))(t)
			m.session.GetCore()
			m.cores.Chosen(coreOffers()[0])
			return m
		}},
		{"watch-other-core", small, atHome(func(m *Shell) {
			trouble := watchTrouble(refusedFor("melonds-ds"), false)
			m.offerToWatch(launch.Watch{Address: "192.168.1.5"}, refusedFor("melonds-ds"), trouble)
			m.Trouble = trouble
		})},
	}
}

// joinEnded is a room that could not be joined.
func joinEnded(err error) func(t *testing.T) *Shell {
	return atHome(func(m *Shell) {
		m.Go(screen.Join)
		m.join.Form.Address = "192.168.1.5"
		m.join.EnterRoom()
		calls(m)
		m.session.Over(notice.Report{}, err)
	})
}

// TestCoreByOneYes: a player who has no core with wireless gets one by a press, a yes, and
// no more; it is chosen then. An answer after Cancel is dropped.
func TestCoreByOneYes(t *testing.T) {
	m := homeShell(t)
	m.cores.GetWireless(nil)
	if got := kinds(calls(m)); got != "FindWireless" {
		t.Fatalf("the press wants %q", got)
	}
	m.cores.GetWireless(nil) // one thing at a time
	offer, build := coreOffers()[0], keptBuild("1.3.1", 3, now)
	m.cores.Chosen(offer)
	if m.Question == nil || kinds(calls(m)) != "" {
		t.Fatalf("something is got before the player has said yes; the question is %+v", m.Question)
	}
	expectWords(t, "the question", m.Question.Words+" "+m.Question.Hint, "melonDS DS 1.3.1", "5.3 MB", "github.com")
	m.Answer(true)
	list := calls(m)
	if kinds(list) != "GetCore" {
		t.Fatalf("the yes wants %q", kinds(list))
	}
	m.cores.Got(build)
	if got := kinds(calls(m)); m.Config.Core.Name != build.Core.Path || got != "SaveSettings FindCore" {
		t.Errorf("the settings choose %q, and %q is done", m.Config.Core.Name, got)
	}

	m.cores.GetWireless(nil)
	m.cores.Stop()
	m.cores.Chosen(offer)
	m.cores.Failed(errors.New("no"))
	m.cores.Got(build)
	if m.Question != nil || m.Trouble != nil {
		t.Error("something came after Cancel")
	}
}

// TestRoomsCore: a room that plays on a core from a source that the settings name too offers the
// very build, by its hash; a yes gets it and joins again, and the settings stay as they are.
func TestRoomsCore(t *testing.T) {
	for source, offered := range map[string]bool{"melonds-ds": true, "libretro": true, "elsewhere": false, "": false} {
		m := joinEnded(refusedFor(source))(t)
		if got := m.session.Ending.RoomsCore != nil; got != offered {
			t.Errorf("from %q: offered %v", source, got)
		}
		if !offered {
			expectWords(t, "the hint", m.session.Ending.Hint, "You must update melonDS DS to 1.3.1", "on the page Cores")
		}
	}
	m := joinEnded(refusedFor("melonds-ds"))(t)
	before := m.Config.Core.Name
	calls(m)
	m.session.GetCore()
	m.cores.Chosen(coreOffers()[0])
	expectWords(t, "the question", m.Question.Words+m.Question.Hint, "melonDS DS 1.3.1", "join again", "5.3 MB", "github.com")
	calls(m)
	m.Answer(true)
	get := calls(m)
	if c := get[0]; c.name != "GetCore" || c.args[1] != refusedFor("").Core.SHA256 {
		t.Fatalf("the yes wants %+v", get)
	}
	m.cores.Got(keptBuild("1.3.1", 0x44, now))
	if got := kinds(calls(m)); got != "FindCore OpenSession" || m.Config.Core.Name != before {
		t.Errorf("with the core there, %q is done, and the settings choose %q", got, m.Config.Core.Name)
	}
	at(t, m, screen.Joining)

	m.session.PlaysOn(keptBuild("1.3.1", 0x44, now).Core)
	if len(m.Toasts) == 0 {
		t.Error("the player is not told which core is used")
	}
}

// TestRemovedCore: a core goes only after a question; when it was chosen, the default is.
func TestRemovedCore(t *testing.T) {
	m := coresScene(nil)(t)
	m.Config.Core.Name = m.Core.Kept[0].Core.Path
	m.cores.AskRemove()
	if kinds(calls(m)) != "" || m.Question == nil || m.Question.Harmless {
		t.Fatal("it is removed without a question")
	}
	expectWords(t, "the question", m.Question.Hint, "as long as github.com has it")
	m.Answer(true)
	if got := kinds(calls(m)); got != "RemoveCore" {
		t.Fatalf("the yes wants %q", got)
	}
	m.cores.Removed(m.Core.Kept[0], nil)
	if got := kinds(calls(m)); m.Config.Core.Name != "" || got != "SaveSettings FindCore" {
		t.Errorf("the settings choose %q, and %q is done", m.Config.Core.Name, got)
	}
	m.cores.Lit = 1 // of Debian
	m.cores.AskRemove()
	if m.Question != nil {
		t.Error("a core that others put there may be removed")
	}
}

func expectWords(t *testing.T, what, words string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(words, w) {
			t.Errorf("%s does not say %q: %s", what, w, words)
		}
	}
}
