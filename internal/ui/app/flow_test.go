package app

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/start"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestHostFromStartToGameAndBack(t *testing.T) {
	m := homeShell(t)
	m.games.PickFor(start.ForHost)
	at(t, m, screen.Games)
	m.games.Pick(m.Games.Games[0])
	at(t, m, screen.Host)
	m.host.Form.Name, m.host.Form.Password, m.host.Form.Seats, m.host.Form.Delay = "Friday", "secret", 3, 6
	calls(m)
	m.host.OpenRoom()
	at(t, m, screen.Joining)
	list := calls(m)
	if got := kinds(list); got != "SaveSettings OpenSession" {
		t.Errorf("opening a room wants %q", got)
	}
	open := list[len(list)-1].args[0].(room.OpenSession)
	want := room.HostForm{Room: config.Defaults().Room, Password: "secret"}
	want.Name, want.Seats, want.Delay, want.AutoDelay, want.Sync = "Friday", 3, 6, "party", "lockstep"
	want.LateJoin, want.Spectators, want.SpectateDelay = true, 4, 2*time.Second
	if *open.Host != want || open.Game.Title != "Pad test" {
		t.Errorf("opens %+v", open)
	}
	if m.Config.Room.Name != "Friday" || m.Config.Room.Delay != 6 {
		t.Error("the room is not remembered in the settings")
	}
	c := &fakeControl{}
	m.session.Opened(c)
	m.session.Notice(notice.Opened{Addr: "0.0.0.0:21204"})
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))})
	at(t, m, screen.Lobby)
	m.session.SendChat("  hello ")
	m.session.SendChat("   ")
	m.session.SetDelay(7)
	m.session.SetSeats(1)
	m.session.SetSync(hostroom.Clocked)
	m.session.Start()
	if got := fmt.Sprint(c.said); got != "[chat hello settings settings settings start]" || c.settings.Sync != hostroom.Clocked || c.settings.Delay != 7 || c.settings.Seats != 2 {
		t.Errorf("of the session is wanted %s, %+v", got, c.settings)
	}
	m.session.Notice(notice.Playing{Room: testRoom(hostroom.PhasePlaying, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true))})
	at(t, m, screen.Playing)
	if m.Memory.PlayedAt()[[32]byte{1}] != now.Local() && !m.Memory.PlayedAt()[[32]byte{1}].Equal(now) {
		t.Error("it is not remembered when the game was played")
	}
	m.GoBack()
	if !m.session.Room.Run.Menu {
		t.Error("Escape does not open the menu")
	}
	m.session.Notice(notice.GameOver{})
	at(t, m, screen.Lobby)
	if m.session.Room.Last != nil || m.session.Room.Run.Menu {
		t.Errorf("after a game that ended well: %+v", m.session.Room)
	}
}

func TestJoin(t *testing.T) {
	m := homeShell(t)
	m.Memory.Addresses = []string{"old.example"}
	m.Go(screen.About)
	calls(m)
	m.Go(screen.Join)
	if got := calls(m); !wants(got, "Browse", true) {
		t.Errorf("the join screen wants %v, not to look for rooms", got)
	}
	m.join.EnterRoom()
	at(t, m, screen.Join)
	if m.Trouble == nil {
		t.Fatal("joining nothing gives no word")
	}
	m.GoBack()
	if m.Trouble != nil || m.Current != screen.Join {
		t.Error("Escape does not close the box, and only that")
	}
	m.join.Form.Address = " friend.example "
	m.join.EnterRoom()
	at(t, m, screen.Joining)
	list := calls(m)
	if !wants(list, "Browse", false) {
		t.Error("looking for rooms goes on in a room")
	}
	open := list[slices.IndexFunc(list, func(c call) bool { return c.name == "OpenSession" })].args[0].(room.OpenSession)
	if open.Join.Address != "friend.example:21204" || m.Memory.Addresses[0] != "old.example" {
		t.Errorf("joins %q, remembers %q before it was let in", open.Join.Address, m.Memory.Addresses)
	}
	c := &fakeControl{}
	m.session.Opened(c)
	bob := playerIn(0, 0, "Bob", true)
	me := playerIn(1, 1, "Ann2", true)
	me.Firmware.MAC = [6]byte{0, 9, 0xbf, 0, 0, 1}
	bob.Firmware.MAC = [6]byte{0, 9, 0xbf, 9, 9, 9}
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, bob, me), Me: 1})
	at(t, m, screen.Lobby)
	if mine, _ := m.session.Room.Mine(); mine.Seat != 1 || m.Memory.Addresses[0] != "friend.example" {
		t.Errorf("my seat is %d; remembered: %q", mine.Seat, m.Memory.Addresses)
	}
	m.session.Start()
	m.session.SetDelay(9)
	if said := c.said; len(said) != 0 {
		t.Errorf("who joined can do what only the host may: %v", said)
	}
}

func TestJoinRoomOfTheList(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	m.join.ChooseRoom(lan.Found{Beacon: lan.Beacon{Room: "R", Seats: 2, Password: true}, Addr: netip.MustParseAddrPort("192.168.1.9:5000")})
	m.join.Form.Password = "pw"
	calls(m)
	m.join.EnterRoom()
	for _, c := range calls(m) {
		if open, ok := opening(c); ok && (open.Join.Address != "192.168.1.9:5000" || open.Join.Password != "pw") {
			t.Errorf("joins %+v", open.Join)
		}
	}
	if len(m.Memory.Addresses) != 0 {
		t.Error("a room of the local network is among the addresses that were typed")
	}
}

// TestPasswordBelongsToARoom: another room is not asked with the password of the last one;
// the same room is. The settings' file has none.
func TestPasswordBelongsToARoom(t *testing.T) {
	m := homeShell(t)
	locked := lan.Found{Beacon: lan.Beacon{Room: "L", Seats: 2, Password: true}, Addr: netip.MustParseAddrPort("192.168.1.9:5000")}
	open := lan.Found{Beacon: lan.Beacon{Room: "O", Seats: 2}, Addr: netip.MustParseAddrPort("192.168.1.10:5000")}
	m.Go(screen.Join)
	m.join.ChooseRoom(locked)
	m.join.Form.Password = "pw"
	m.join.EnterRoom()
	m.session.Over(notice.Report{}, nil)
	m.Go(screen.Join)
	if m.join.Form.Password != "" {
		t.Error("the form begins with the password of the last room")
	}
	for _, step := range []struct {
		room lan.Found
		want string
	}{{locked, "pw"}, {open, ""}, {locked, "pw"}} {
		if m.join.ChooseRoom(step.room); m.join.Form.Password != step.want {
			t.Errorf("%s is asked with the password %q, want %q", step.room.Room, m.join.Form.Password, step.want)
		}
	}

	m.GoHome()
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.Form.Password = "mine"
	m.host.OpenRoom()
	m.session.Over(notice.Report{}, errors.New("x"))
	m.session.Retry() // the same room again
	if m.host.Form.Password != "mine" || strings.Contains(m.Config.Commented(), "mine") {
		t.Errorf("the form has the password %q", m.host.Form.Password)
	}
	m.session.Over(notice.Report{}, nil)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	if m.host.Form.Password != "" {
		t.Error("a new room has the password of the last one")
	}
}

// TestWrongPassword: the way on leads to the form, with what was typed.
func TestWrongPassword(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address, m.join.Form.Password = "friend.example", "wrong"
	m.join.EnterRoom()
	m.session.Opened(&fakeControl{})
	m.session.Over(notice.Report{}, &notice.Failure{Result: notice.ResultLost, Err: errors.New("the password is wrong")})
	at(t, m, screen.Ended)
	newHand(t, m, large, 1).use(t, "edit")
	at(t, m, screen.Join)
	if m.join.Form.Address != "friend.example" || m.join.Form.Password != "wrong" {
		t.Errorf("the form has %+v", m.join.Form)
	}
	m.GoBack()
	at(t, m, screen.Home)
}

// TestCoreThatFailed: the check shows on the way in, and a core that failed it is played with when
// the player says so, but not another one.
func TestCoreThatFailed(t *testing.T) {
	m := homeShell(t)
	m.Core.Core.SHA256 = [32]byte{1}
	m.Go(screen.Join)
	m.join.Form.Address = "friend.example"
	m.join.EnterRoom()
	m.session.Checking(launch.Checking{Words: "It is new.", Done: 1, All: 4})
	if m.session.Room.Checking == nil || opened(m).AnyCore {
		t.Error("nothing shows of the check, or any core is played with")
	}
	m.session.Over(notice.Report{}, &corecheck.FailedError{})
	at(t, m, screen.Ended)
	m.session.RetryAnyCore()
	at(t, m, screen.Joining)
	if open := opened(m); !open.AnyCore || open.Join == nil || !strings.HasPrefix(open.Join.Address, "friend.example") || m.session.Room.Checking != nil {
		t.Errorf("opened with %+v", open)
	}
	m.session.Over(notice.Report{}, errors.New("no answer"))
	m.Core.Core.SHA256 = [32]byte{2}
	m.join.EnterRoom()
	if opened(m).AnyCore {
		t.Error("another core needs no check, either")
	}
}

// TestCoreThatIsAskedAbout: a core that runs with the player's rights is played with once they say so, and not another one.
func TestCoreThatIsAskedAbout(t *testing.T) {
	m := homeShell(t)
	m.Core.Core.SHA256 = [32]byte{1}
	m.Go(screen.Join)
	m.join.Form.Address = "friend.example"
	m.join.EnterRoom()
	opened(m)
	if len(m.Trusted) > 0 {
		t.Errorf("trusted before anybody asked: %x", m.Trusted)
	}
	m.session.Over(notice.Report{}, &corecheck.UntrustedError{Core: emucore.Core{Name: "melonDS DS", SHA256: [32]byte{2}}})
	at(t, m, screen.Ended)
	if e := m.session.Ending; e.Trust != [32]byte{2} || e.Core || e.Title != "This core runs with your rights" {
		t.Errorf("it ended with %+v", e)
	}
	m.session.RetryTrusted()
	at(t, m, screen.Joining)
	if open := opened(m); open.AnyCore || open.Join == nil {
		t.Errorf("opened with %+v", open)
	}
	if !slices.Equal(m.Trusted, [][32]byte{{2}}) { // the room's, which is not that of the settings
		t.Errorf("trusted: %x", m.Trusted)
	}
}

// TestTrustToWatch: where a core is asked about before a recording plays, one button trusts it and begins again.
func TestTrustToWatch(t *testing.T) {
	m := homeShell(t)
	e, began := &engine{shell: m}, 0
	again := func() { began++ }
	if e.untrusted(errors.New("no"), again) != nil {
		t.Error("another error asks")
	}
	asks := e.untrusted(&corecheck.UntrustedError{Core: emucore.Core{Name: "DeSmuME", SHA256: [32]byte{3}}}, again)
	if asks == nil || asks.Title != "This core runs with your rights" || asks.Yes == "" || len(m.Trusted) > 0 {
		t.Fatalf("it asks %+v", asks)
	}
	asks.Do()
	if began != 1 || !slices.Equal(m.Trusted, [][32]byte{{3}}) {
		t.Errorf("began %d times; trusted: %x", began, m.Trusted)
	}
}

// TestSettingsDuringAGame: what happens meanwhile counts when one comes back.
func TestSettingsDuringAGame(t *testing.T) {
	m, _ := hosted(t)
	m.session.Notice(notice.Playing{})
	m.Go(screen.Settings)
	m.GoBack()
	at(t, m, screen.Playing)
	m.Go(screen.Settings)
	m.session.Notice(notice.GameOver{})
	at(t, m, screen.Settings)
	m.GoBack()
	at(t, m, screen.Lobby)
	m.Go(screen.Settings)
	m.session.Notice(notice.Playing{})
	at(t, m, screen.Playing)
}

func TestNoCore(t *testing.T) {
	must.HaveLinux(t, "words for Linux")
	m := homeShell(t)
	m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
	m.games.PickFor(start.ForHost)
	at(t, m, screen.Home)
	if m.Trouble == nil || !strings.HasPrefix(m.Trouble.Copy, "sudo apt install") {
		t.Errorf("without a core: %+v", m.Trouble)
	}
}

func TestFirstSteps(t *testing.T) {
	must.HaveLinux(t, "paths of Linux")
	m := newShell(config.Defaults(), memory.Memory{}, "test", fontStore())
	at(t, m, screen.Welcome)
	if got := kinds(calls(m)); got != "FindCore ScanGames" {
		t.Errorf("at the start: %q", got)
	}
	m.Added(nil, "/home/ann/games", nil)
	if got := kinds(calls(m)); got != "SaveSettings ScanGames" || !slices.Contains(m.Config.ROMs.Folders, "/home/ann/games") {
		t.Errorf("a dropped folder: %q, %q", got, m.Config.ROMs.Folders)
	}
	m.welcome.Finish()
	at(t, m, screen.Home)
	if !m.Memory.Welcomed {
		t.Error("the first steps would come again")
	}
}

func TestDrop(t *testing.T) {
	m := homeShell(t)
	m.Drop("/x/game.nds")
	if got := calls(m); len(got) != 1 || !wants(got, "AddGame", "/x/game.nds") {
		t.Errorf("a drop wants %v", got)
	}
	g := testGame("Dropped", 9)
	m.Added(&g, "", nil)
	at(t, m, screen.Host)
	m.GoBack()
	at(t, m, screen.Games)
	m.GoBack()
	at(t, m, screen.Home)
	m.Added(nil, "", &screen.Trouble{Title: "No game", Words: "It is packed."})
	if m.Trouble == nil {
		t.Error("a file that is no game gives no word")
	}
}

func TestAlonePausesInTheMenu(t *testing.T) {
	m := homeShell(t)
	m.games.PickFor(start.ForAlone)
	m.games.Pick(m.Games.Games[0])
	at(t, m, screen.Alone)
	m.alone.Consoles = 1
	m.alone.Start()
	at(t, m, screen.Starting)
	c := &fakeControl{}
	m.session.Opened(c)
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhasePreparing, playerIn(0, 0, "Ann", true))})
	at(t, m, screen.Starting)
	m.session.Notice(notice.Playing{})
	at(t, m, screen.Playing)
	m.GoBack()
	m.GoBack()
	if got := fmt.Sprint(c.said); got != "[pause true pause false]" {
		t.Errorf("opening and closing the menu: %s", got)
	}
	calls(m)
	m.session.Notice(notice.GameOver{})
	if got := kinds(calls(m)); got != "EndSession" {
		t.Errorf("a game alone that is over: %q", got)
	}
}

// TestRandomWalk: whatever is pressed and whatever happens, in any order, the
// program does not fall over, and the window can be closed.
func TestRandomWalk(t *testing.T) {
	for seed := range uint64(300) {
		m := homeShell(t)
		playAtRandom(m, seed)
		m.session.Close()
		m.session.Over(notice.Report{}, nil)
		if !strings.Contains(kinds(calls(m)), "Quit") {
			t.Fatalf("seed %d: the program does not end", seed)
		}
	}
}

func playAtRandom(m *Shell, seed uint64) {
	game := testGame("Pad test", 1)
	steps := []func(){
		func() { m.games.PickFor(start.ForHost) }, func() { m.games.PickFor(start.ForAlone) }, func() { m.Go(screen.Join) }, func() { m.Go(screen.Settings) }, func() { m.Go(screen.About) }, func() { m.Go(screen.Recordings) }, m.GoBack, m.GoBack, m.host.OpenRoom, m.join.EnterRoom, m.alone.Start,
		m.session.AskLeave, m.session.Leave, m.session.Start, m.session.AskEndGame, m.session.Retry, m.session.ToggleMenu, m.games.PickOwn,
		func() { m.Answer(true) },
		func() { m.Answer(false) },
		func() { m.games.Pick(game) },
		func() { m.lobby.PickGame() },
		func() { m.AskPath(screen.PathRequest{Want: screen.WantFile, Do: func(string) {}}) },
		func() { m.files.Listed(1, files.Listing{Dir: "/", Entries: []files.Entry{{Name: "a"}}}) },
		m.files.Take, m.files.Up,
		func() { m.join.Form.Address = "a" },
		func() { m.session.SendChat("x") },
		func() { m.Drop("/x") },
		func() { m.Added(&game, "", nil) },
		func() { m.settings.Bind("keys.a", "Z", true) },
		func() { m.session.Opened(&fakeControl{}) },
		func() {
			m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))})
		},
		func() { m.session.Notice(notice.Playing{}) },
		func() { m.session.Notice(notice.GameOver{Err: errors.New("x")}) },
		func() { m.session.Over(notice.Report{}, errors.New("x")) },
		func() { m.Tick(m.Now.Add(time.Second)) },
	}
	x := seed*2654435761 + 1
	for range 60 {
		x = x*6364136223846793005 + 1442695040888963407
		steps[(x>>33)%uint64(len(steps))]()
	}
}
