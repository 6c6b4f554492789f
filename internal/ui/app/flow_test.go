package app

import (
	"errors"
	"fmt"
	"image"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// fakeControl writes down what the player wants of a session.
type fakeControl struct {
	said     []string
	settings host.Settings
}

func (c *fakeControl) say(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

func (c *fakeControl) Ready(r bool)                    { c.say("ready %v", r) }
func (c *fakeControl) Chat(text string)                { c.say("chat %s", text) }
func (c *fakeControl) Start()                          { c.say("start") }
func (c *fakeControl) Kick(seat int, why string)       { c.say("kick %d", seat) }
func (c *fakeControl) Leave(why string)                { c.say("leave") }
func (c *fakeControl) KickSpectator(n int, why string) { c.say("kick spectator %d", n) }
func (c *fakeControl) Pause(p bool)                    { c.say("pause %v", p) }
func (c *fakeControl) Delay(frames int)                { c.say("delay %d", frames) }
func (c *fakeControl) EndGame(why string)              { c.say("end") }
func (c *fakeControl) LocalPlayers(names []string)     { c.say("local %s", strings.Join(names, ",")) }
func (c *fakeControl) ROM(r *emucore.ROM)              { c.say("rom %x", r.SHA256[0]) }
func (c *fakeControl) SRAM(b []byte)                   { c.say("sram %s", b) }
func (c *fakeControl) MaxSpeed(on bool)                { c.say("fast %v", on) }
func (c *fakeControl) GoOnWithout(machine int)         { c.say("without %d", machine) }
func (c *fakeControl) Settings(f func(host.Settings) host.Settings) {
	c.settings = f(c.settings)
	c.say("settings")
}

var now = time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)

func testGame(title string, n byte) library.Game {
	return library.Game{ROM: &emucore.ROM{Path: "/roms/" + title + ".nds", SHA256: [32]byte{n}, Size: 1 << 20}, Title: title, More: "Nettplay"}
}

// homeModel is a program whose first steps are done, with a core and two games.
func homeModel(t testing.TB) *Shell {
	t.Helper()
	cfg := config.Defaults()
	cfg.Player.Nickname, cfg.Player.MAC = "Ann", "00:09:bf:00:00:01"
	m := NewShell(cfg, memory.Memory{Welcomed: true}, "test", &draw.Store{})
	m.Tick(now)
	m.Commands()
	m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "DeSmuME", Version: "1", Wireless: false}})
	m.Games = library.List{Games: []library.Game{testGame("Pad test", 1), testGame("Zebra", 2)}}
	return m
}

// commands returns what the model wants done, by type, and what is wanted of the
// local network apart from the rest.
func kinds(list []screen.Command) string {
	var s []string
	for _, c := range list {
		if _, ok := c.(room.Announce); ok {
			continue
		}
		s = append(s, name(c))
	}
	return strings.Join(s, " ")
}

func player(seat, machine int, name string, ready bool) host.Player {
	p := host.Player{
		Seat: seat, Machine: machine, Nickname: name, Ready: ready, Present: true,
		ROM: host.ROMID{SHA256: [32]byte{1}, Title: "Pad test", Size: 1 << 20},
	}
	p.Firmware.MAC = [6]byte{0, 9, 0xbf, 0, 0, byte(machine + 1)}
	if machine > 0 {
		p.Ping, p.Jitter = 48*time.Millisecond, 3*time.Millisecond
	}
	return p
}

// name is a command's type, without its package.
func name(c screen.Command) string {
	_, name, _ := strings.Cut(fmt.Sprintf("%T", c), ".")
	return name
}

func testRoom(phase host.Phase, players ...host.Player) host.Room {
	return host.Room{
		Phase: phase, Players: players,
		Settings: host.Settings{Room: "Ann's room", Seats: 4, MinPlayers: 2, Delay: 4, RTC: 1256409000, HashEvery: 60},
	}
}

func at(t *testing.T, m *Shell, want screen.ID) {
	t.Helper()
	if m.Current != want {
		t.Fatalf("the screen is %v, want %v", m.Current, want)
	}
}

// hosted is a room that was opened, with two players in it.
func hosted(t *testing.T) (*Shell, *fakeControl) {
	t.Helper()
	m := homeModel(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	at(t, m, screen.Host)
	m.host.OpenRoom()
	c := &fakeControl{}
	m.session.Opened(c)
	m.session.Notice(session.RoomNotice{Room: testRoom(host.PhaseLobby, player(0, 0, "Ann", true), player(1, 1, "Bob", false))})
	at(t, m, screen.Lobby)
	return m, c
}

func TestHostFromStartToGameAndBack(t *testing.T) {
	m := homeModel(t)
	m.games.PickFor(start.ForHost)
	at(t, m, screen.Games)
	m.games.Pick(m.Games.Games[0])
	at(t, m, screen.Host)
	m.host.Form.Name, m.host.Form.Password, m.host.Form.Players, m.host.Form.Delay = "Friday", "secret", 3, 6
	m.Commands()
	m.host.OpenRoom()
	at(t, m, screen.Joining)
	list := m.Commands()
	if got := kinds(list); got != "SaveSettings OpenSession" {
		t.Errorf("opening a room wants %q", got)
	}
	open := list[len(list)-1].(room.OpenSession)
	if *open.Host != (room.HostForm{Name: "Friday", Password: "secret", Players: 3, Delay: 6, LateJoin: true, Spectators: 4, SpectateDelay: 2 * time.Second}) || open.Game.Title != "Pad test" {
		t.Errorf("opens %+v", open)
	}
	if m.Config.Room.Name != "Friday" || m.Config.Room.Delay != 6 {
		t.Error("the room is not remembered in the settings")
	}
	c := &fakeControl{}
	m.session.Opened(c)
	m.session.Notice(session.Opened{Addr: "0.0.0.0:21204"})
	m.session.Notice(session.RoomNotice{Room: testRoom(host.PhaseLobby, player(0, 0, "Ann", true))})
	at(t, m, screen.Lobby)
	m.session.SendChat("  hello ")
	m.session.SendChat("   ")
	m.session.SetDelay(7)
	m.session.SetSeats(1)
	m.session.Start()
	if got := fmt.Sprint(c.said); got != "[chat hello settings settings start]" || c.settings.Delay != 7 || c.settings.Seats != 2 {
		t.Errorf("of the session is wanted %s, %+v", got, c.settings)
	}
	m.session.Notice(session.Playing{Room: testRoom(host.PhasePlaying, player(0, 0, "Ann", true), player(1, 1, "Bob", true))})
	at(t, m, screen.Playing)
	if m.Memory.PlayedAt()[[32]byte{1}] != now.Local() && !m.Memory.PlayedAt()[[32]byte{1}].Equal(now) {
		t.Error("it is not remembered when the game was played")
	}
	m.GoBack()
	if !m.session.Room.Run.Menu {
		t.Error("Escape does not open the menu")
	}
	m.session.Notice(session.GameOver{})
	at(t, m, screen.Lobby)
	if m.session.Room.Last != nil || m.session.Room.Run.Menu {
		t.Errorf("after a game that ended well: %+v", m.session.Room)
	}
}

func TestJoin(t *testing.T) {
	m := homeModel(t)
	m.Memory.Addresses = []string{"old.example"}
	m.Go(screen.Join)
	if got := m.Commands(); !slices.Contains(got, screen.Command(start.Browse{On: true})) {
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
	list := m.Commands()
	if !slices.Contains(list, screen.Command(start.Browse{On: false})) {
		t.Error("looking for rooms goes on in a room")
	}
	open := list[slices.IndexFunc(list, func(c screen.Command) bool { _, ok := c.(room.OpenSession); return ok })].(room.OpenSession)
	if open.Join.Address != "friend.example:21204" || m.Memory.Addresses[0] != "friend.example" {
		t.Errorf("joins %q, remembers %q", open.Join.Address, m.Memory.Addresses)
	}
	c := &fakeControl{}
	m.session.Opened(c)
	bob := player(0, 0, "Bob", true)
	me := player(1, 1, "Ann2", true)
	me.Firmware.MAC = [6]byte{0, 9, 0xbf, 0, 0, 1}
	bob.Firmware.MAC = [6]byte{0, 9, 0xbf, 9, 9, 9}
	m.session.Notice(session.RoomNotice{Room: testRoom(host.PhaseLobby, bob, me), Me: 1})
	at(t, m, screen.Lobby)
	if m.session.Room.Me != 1 {
		t.Errorf("my seat is %d", m.session.Room.Me)
	}
	m.session.Start()
	m.session.SetDelay(9)
	if said := c.said; len(said) != 0 {
		t.Errorf("who joined can do what only the host may: %v", said)
	}
}

func TestJoinRoomOfTheList(t *testing.T) {
	m := homeModel(t)
	m.Go(screen.Join)
	m.join.ChooseRoom(lan.Found{Beacon: lan.Beacon{Room: "R", Password: true}, Addr: netip.MustParseAddrPort("192.168.1.9:5000")})
	m.join.Form.Password = "pw"
	m.Commands()
	m.join.EnterRoom()
	for _, c := range m.Commands() {
		if open, ok := c.(room.OpenSession); ok && (open.Join.Address != "192.168.1.9:5000" || open.Join.Password != "pw") {
			t.Errorf("joins %+v", open.Join)
		}
	}
	if len(m.Memory.Addresses) != 0 {
		t.Error("a room of the local network is among the addresses that were typed")
	}
}

// TestWrongPassword: the way on leads to the form, with what was typed.
func TestWrongPassword(t *testing.T) {
	m := homeModel(t)
	m.Go(screen.Join)
	m.join.Form.Address, m.join.Form.Password = "friend.example", "wrong"
	m.join.EnterRoom()
	m.session.Opened(&fakeControl{})
	m.session.Over(session.Report{}, &session.Failure{Result: session.ResultLost, Err: errors.New("the password is wrong")})
	at(t, m, screen.Ended)
	m.session.Retry()
	at(t, m, screen.Join)
	if m.join.Form.Address != "friend.example" || m.join.Form.Password != "wrong" {
		t.Errorf("the form has %+v", m.join.Form)
	}
	m.GoBack()
	at(t, m, screen.Home)
}

// TestSettingsDuringAGame: what happens meanwhile counts when one comes back.
func TestSettingsDuringAGame(t *testing.T) {
	m, _ := hosted(t)
	m.session.Notice(session.Playing{})
	m.Go(screen.Settings)
	m.GoBack()
	at(t, m, screen.Playing)
	m.Go(screen.Settings)
	m.session.Notice(session.GameOver{})
	at(t, m, screen.Settings)
	m.GoBack()
	at(t, m, screen.Lobby)
	m.Go(screen.Settings)
	m.session.Notice(session.Playing{})
	at(t, m, screen.Playing)
}

// fakeRemote writes down how a recording is moved.
type fakeRemote struct {
	viewer.Remote
	speed *float64
}

func (r fakeRemote) Speed(times float64) { *r.speed = times }

func TestWatch(t *testing.T) {
	m := homeModel(t)
	m.Go(screen.Recordings)
	if got := kinds(m.Commands()); got != "ListReplays" {
		t.Errorf("the recordings want %q", got)
	}
	m.viewer.Watch(viewer.Recording{Path: "/bad", Why: "This is not a recording of nettplay."})
	if at(t, m, screen.Recordings); m.Trouble == nil {
		t.Error("a recording that cannot be read gives no word")
	}
	m.GoBack()
	m.viewer.Watch(viewer.Recording{Path: "/good", Game: "Pad test"})
	at(t, m, screen.Watching)
	m.viewer.Watched(fakeRemote{})
	m.viewer.Status(session.PlayerStatus{Frame: 9})
	m.Commands()
	m.GoBack()
	at(t, m, screen.Recordings)
	if got := kinds(m.Commands()); got != "StopReplay" {
		t.Errorf("going back wants %q", got)
	}
	m.viewer.Status(session.PlayerStatus{}) // late
	m.viewer.Over(nil)
	at(t, m, screen.Recordings)
	m.viewer.Watch(viewer.Recording{Path: "/good"})
	m.viewer.Over(&screen.Trouble{Title: "Something is missing"})
	at(t, m, screen.Recordings)
	if m.Trouble == nil {
		t.Error("a recording that could not go on gives no word")
	}
}

// TestSpeedOfARecording: the list of speeds, which is higher than the bar, stays open while
// the mouse goes up to the slowest.
func TestSpeedOfARecording(t *testing.T) {
	m := homeModel(t)
	m.Go(screen.Recordings)
	m.viewer.Watch(viewer.Recording{Path: "/good", Game: "Pad test"})
	speed := 0.0
	m.viewer.Watched(fakeRemote{speed: &speed})
	m.viewer.Status(session.PlayerStatus{Frame: 600, Length: 6000, Playing: true, Speed: 1})
	m.Game = func(*widgets.UI) {}
	fonts, err := draw.NewFonts(m.Store, draw.FontConfig{System: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	ui := widgets.New(fonts, nil)
	in := widgets.Input{Now: time.Second, Size: image.Pt(640, 480), Scale: 1, Focused: true, MouseIn: true}
	frame := func(x, y int, press, release bool) {
		in.Now += 20 * time.Millisecond
		in.Mouse, in.Pressed, in.Released, in.Held = draw.Point{X: float32(x), Y: float32(y)}, 0, 0, 0
		if press {
			in.Pressed, in.Clicks, in.Held = widgets.LeftButton, 1, widgets.Buttons(0).With(widgets.LeftButton)
		}
		if release {
			in.Released = widgets.LeftButton
		}
		ui.Frame(in, m.Build)
	}
	click := func(x, y int) {
		frame(x, y, false, false)
		frame(x, y, true, false)
		frame(x, y, false, true)
		frame(x, y, false, false)
	}
	click(592, 452)
	for y := 440; y > 240; y -= 20 {
		frame(592, y, false, false)
	}
	click(592, 245)
	if speed != 0.25 {
		t.Errorf("the speed is %v", speed)
	}
}

// TestEveryFailureHasWordsAndAWay: whatever ends a session, there is a sentence,
// and a way on.
func TestEveryFailureHasWordsAndAWay(t *testing.T) {
	for name, err := range map[string]error{
		"refused":   &session.Failure{Result: session.ResultLost, Err: errors.New("the password is wrong"), Hint: "ask for it"},
		"lost":      &session.Failure{Result: session.ResultLost, Err: errors.New("the game host is silent")},
		"desync":    &session.Failure{Result: session.ResultDesync, Err: errors.New("Bob's console differs at frame 60")},
		"core":      &session.Failure{Result: session.ResultCore, Err: errors.New("the core crashed (SIGSEGV)"), Hint: "another core (\"nettplay cores\")"},
		"port":      fmt.Errorf("listen on UDP :21204: %w", link.ErrPortInUse),
		"core gone": &emucore.NoCoreError{Name: "melonds", Found: []string{"DeSmuME"}},
		"any":       errors.New("something else"),
	} {
		m, _ := hosted(t)
		m.session.Over(session.Report{}, err)
		at(t, m, screen.Ended)
		e := m.session.Ending
		if e.Title == "" || !strings.HasSuffix(e.Words, ".") || strings.ToUpper(e.Words[:1]) != e.Words[:1] || !e.Again {
			t.Errorf("%s: %+v", name, e)
		}
		if strings.Contains(e.Hint, "\"nettplay ") {
			t.Errorf("%s: the hint tells of a command line: %s", name, e.Hint)
		}
		m.Commands()
		m.session.Retry()
		if !strings.Contains(kinds(m.Commands()), "OpenSession") {
			t.Errorf("%s: trying again does nothing", name)
		}
		m.session.Over(session.Report{}, err)
		m.GoBack()
		at(t, m, screen.Home)
	}
}

// TestDesyncInARoomThatGoesOn: back in the lobby, with the reason.
func TestDesyncInARoomThatGoesOn(t *testing.T) {
	m, _ := hosted(t)
	m.session.Notice(session.Playing{})
	m.session.Notice(session.GameOver{Err: &session.Failure{Result: session.ResultDesync, Err: errors.New("consoles differ")}})
	at(t, m, screen.Lobby)
	if m.session.Room.Last == nil || m.session.Room.Last.Title == "" || m.session.Room.Last.Hint == "" {
		t.Errorf("how the game ended: %+v", m.session.Room.Last)
	}
}

// TestCloseAtEveryMoment: closing the window leaves the room first, whatever is
// on the screen, and ends the program once.
func TestCloseAtEveryMoment(t *testing.T) {
	m := homeModel(t)
	m.Close()
	if got := kinds(m.Commands()); got != "Quit" {
		t.Errorf("at home: %q", got)
	}
	moments := map[string]func(*Shell){
		"in the lobby": func(*Shell) {},
		"in a game":    func(m *Shell) { m.session.Notice(session.Playing{}) },
		"in the menu":  func(m *Shell) { m.session.Notice(session.Playing{}); m.GoBack() },
		"while asked":  func(m *Shell) { m.session.AskLeave() },
	}
	for name, moment := range moments {
		m, _ := hosted(t)
		moment(m)
		m.Commands()
		m.Close()
		m.Close()
		if got := kinds(m.Commands()); got != "EndSession" {
			t.Errorf("%s: closing wants %q", name, got)
		}
		m.session.Over(session.Report{}, nil)
		if got := kinds(m.Commands()); got != "Quit" {
			t.Errorf("%s: after the session %q", name, got)
		}
	}
	// Before the session has told how to act on it.
	m = homeModel(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.OpenRoom()
	m.Commands()
	m.Close()
	if got := kinds(m.Commands()); got != "EndSession" {
		t.Errorf("while a room opens: %q", got)
	}
}

func TestLeaveAsks(t *testing.T) {
	m, _ := hosted(t)
	m.Commands()
	m.GoBack()
	if m.Question == nil || !strings.Contains(m.Question.Words, "Leave your room") {
		t.Fatalf("closing a room with others in it asks %+v", m.Question)
	}
	m.Answer(false)
	if got := kinds(m.Commands()); got != "" || m.Question != nil {
		t.Errorf("no means %q", got)
	}
	m.GoBack()
	m.Answer(true)
	if got := kinds(m.Commands()); got != "EndSession" {
		t.Errorf("yes means %q", got)
	}
	m.session.Over(session.Report{}, nil)
	at(t, m, screen.Home)
}

func TestAnnounceFollowsTheRoom(t *testing.T) {
	m := homeModel(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.Form.Password = "x"
	m.host.OpenRoom()
	m.session.Opened(&fakeControl{})
	m.Commands()
	beacon := func() room.Announce {
		t.Helper()
		list := m.Commands()
		for _, c := range slices.Backward(list) {
			if a, ok := c.(room.Announce); ok {
				return a
			}
		}
		t.Fatal("nothing is said to the local network")
		return room.Announce{}
	}
	m.session.Notice(session.RoomNotice{Room: testRoom(host.PhaseLobby, player(0, 0, "Ann", true), player(1, 1, "Bob", true))})
	a := beacon()
	want := lan.Beacon{
		Port: 21204, ROM: [8]byte{1}, Players: 2, Seats: 4, Password: true, Late: true,
		Room: "Ann's room", Host: "Ann", Game: "Pad test", Core: "DeSmuME", Program: "test",
	}
	if !a.On || a.Beacon != want {
		t.Errorf("announced: %+v, want %+v", a.Beacon, want)
	}
	playing := testRoom(host.PhasePlaying, player(0, 0, "Ann", true))
	playing.Settings.Spectators, playing.Settings.NoLateJoin = 1, true
	m.session.Notice(session.RoomNotice{Room: playing})
	if a := beacon(); !a.Beacon.Playing || !a.Beacon.Watch || a.Beacon.Late {
		t.Errorf("a game that runs, and that one may watch, is announced as %+v", a.Beacon)
	}
	playing.Spectators = []host.Spectator{{Nickname: "Uma"}}
	m.session.Notice(session.RoomNotice{Room: playing})
	if a := beacon(); a.Beacon.Watch {
		t.Error("a room that nobody more may watch is announced as one to be watched")
	}
	m.session.Leave()
	if a := beacon(); a.On {
		t.Error("a room that closes is still announced")
	}
	m.Config.Room.Announce = false
	m.session.Notice(session.RoomNotice{Room: testRoom(host.PhaseLobby, player(0, 0, "Ann", true))})
	if a := beacon(); a.On {
		t.Error("a private room is announced")
	}
}

func TestNoCore(t *testing.T) {
	m := homeModel(t)
	m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
	m.games.PickFor(start.ForHost)
	at(t, m, screen.Home)
	if m.Trouble == nil || !strings.HasPrefix(m.Trouble.Copy, "sudo apt install") {
		t.Errorf("without a core: %+v", m.Trouble)
	}
}

func TestFirstSteps(t *testing.T) {
	m := NewShell(config.Defaults(), memory.Memory{}, "test", &draw.Store{})
	at(t, m, screen.Welcome)
	if got := kinds(m.Commands()); got != "FindCore ScanGames" {
		t.Errorf("at the start: %q", got)
	}
	m.Added(nil, "/home/ann/games", nil)
	if got := kinds(m.Commands()); got != "SaveSettings ScanGames" || !slices.Contains(m.Config.ROMs.Folders, "/home/ann/games") {
		t.Errorf("a dropped folder: %q, %q", got, m.Config.ROMs.Folders)
	}
	m.welcome.Finish()
	at(t, m, screen.Home)
	if !m.Memory.Welcomed {
		t.Error("the first steps would come again")
	}
}

func TestDrop(t *testing.T) {
	m := homeModel(t)
	m.Drop("/x/game.nds")
	if got := m.Commands(); len(got) != 1 || got[0] != screen.Command(screen.AddGame{Path: "/x/game.nds"}) {
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
	m := homeModel(t)
	m.games.PickFor(start.ForAlone)
	m.games.Pick(m.Games.Games[0])
	at(t, m, screen.Alone)
	m.alone.Consoles = 1
	m.alone.Start()
	at(t, m, screen.Starting)
	c := &fakeControl{}
	m.session.Opened(c)
	m.session.Notice(session.RoomNotice{Room: testRoom(host.PhasePreparing, player(0, 0, "Ann", true))})
	at(t, m, screen.Starting)
	m.session.Notice(session.Playing{})
	at(t, m, screen.Playing)
	m.GoBack()
	m.GoBack()
	if got := fmt.Sprint(c.said); got != "[pause true pause false]" {
		t.Errorf("opening and closing the menu: %s", got)
	}
	m.Commands()
	m.session.Notice(session.GameOver{})
	if got := kinds(m.Commands()); got != "EndSession" {
		t.Errorf("a game alone that is over: %q", got)
	}
}

func TestChatIsBoundedAndSaysThingsOnce(t *testing.T) {
	m, _ := hosted(t)
	for range 3 {
		m.session.Notice(session.Message{Text: "Bob has left"})
	}
	if len(m.session.Room.Lines) != 1 {
		t.Errorf("%d lines", len(m.session.Room.Lines))
	}
	for i := range 1000 {
		m.session.Notice(session.Message{From: "Bob", Text: fmt.Sprint(i)})
	}
	if len(m.session.Room.Lines) != room.MaxLines {
		t.Errorf("%d lines are kept", len(m.session.Room.Lines))
	}
}

// TestLateNotices: what a session still says after its end changes nothing.
func TestLateNotices(t *testing.T) {
	m, _ := hosted(t)
	m.session.Over(session.Report{}, nil)
	for _, n := range []session.Notice{
		session.RoomNotice{},
		session.Message{Text: "x"},
		session.Playing{},
		session.Waiting{},
		session.Figures{},
		session.GameOver{},
		session.Paused{},
		session.Blockers{},
		session.Transfer{},
		session.Opened{},
		session.Connecting{},
	} {
		m.session.Notice(n)
		at(t, m, screen.Home)
	}
}

// TestRandomWalk: whatever is pressed and whatever happens, in any order, the
// program does not fall over, and the window can be closed.
func TestRandomWalk(t *testing.T) {
	for seed := range uint64(300) {
		m := homeModel(t)
		playAtRandom(m, seed)
		m.Close()
		m.session.Over(session.Report{}, nil)
		if !strings.Contains(kinds(m.Commands()), "Quit") {
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
		func() { m.join.Form.Address = "a" },
		func() { m.session.SendChat("x") },
		func() { m.Drop("/x") },
		func() { m.Added(&game, "", nil) },
		func() { m.settings.Bind("keys.a", "Z", true) },
		func() { m.session.Opened(&fakeControl{}) },
		func() {
			m.session.Notice(session.RoomNotice{Room: testRoom(host.PhaseLobby, player(0, 0, "Ann", true))})
		},
		func() { m.session.Notice(session.Playing{}) },
		func() { m.session.Notice(session.GameOver{Err: errors.New("x")}) },
		func() { m.session.Over(session.Report{}, errors.New("x")) },
		func() { m.Tick(m.Now.Add(time.Second)) },
	}
	x := seed*2654435761 + 1
	for range 60 {
		x = x*6364136223846793005 + 1442695040888963407
		steps[(x>>33)%uint64(len(steps))]()
	}
}

// When a player's line breaks, the game host is asked what to do, and can go on without.
func TestGoingOnWithoutSomebody(t *testing.T) {
	m, c := hosted(t)
	m.session.Notice(session.Playing{})
	m.session.Notice(session.LineBroken{Machine: 1, Nickname: "Bob"})
	if !m.session.Room.Run.Menu || len(m.session.Room.Run.Disconnected) != 1 {
		t.Fatalf("%+v", m.session.Room)
	}
	m.session.Notice(session.LineRestored{Machine: 1})
	if len(m.session.Room.Run.Disconnected) != 0 {
		t.Error("Bob is still away")
	}
	m.session.Notice(session.LineBroken{Machine: 1, Nickname: "Bob"})
	m.session.GoOnWithout(1)
	if !slices.Contains(c.said, "without 1") || m.session.Room.Run.Menu {
		t.Errorf("%v", c.said)
	}
}
