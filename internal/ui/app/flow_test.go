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
func (c *fakeControl) Beside(names []string)           { c.say("beside %s", strings.Join(names, ",")) }
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
func homeModel(t testing.TB) *Model {
	t.Helper()
	cfg := config.Defaults()
	cfg.Player.Nickname, cfg.Player.MAC = "Ann", "00:09:bf:00:00:01"
	m := NewModel(cfg, Memory{Welcomed: true}, "test")
	m.Tick(now)
	m.Commands()
	m.CoreFound(CoreState{Found: true, Core: emucore.Core{Name: "DeSmuME", Version: "1", Wireless: false}})
	m.Games = library.List{Games: []library.Game{testGame("Pad test", 1), testGame("Zebra", 2)}}
	return m
}

// commands returns what the model wants done, by type, and what is wanted of the
// local network apart from the rest.
func kinds(list []Command) string {
	var s []string
	for _, c := range list {
		if _, ok := c.(Announce); ok {
			continue
		}
		s = append(s, strings.TrimPrefix(fmt.Sprintf("%T", c), "app."))
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

func room(phase host.Phase, players ...host.Player) host.Room {
	return host.Room{
		Phase: phase, Players: players,
		Settings: host.Settings{Room: "Ann's room", Seats: 4, MinPlayers: 2, Delay: 4, RTC: 1256409000, HashEvery: 60},
	}
}

func at(t *testing.T, m *Model, want Screen) {
	t.Helper()
	if m.Screen != want {
		t.Fatalf("the screen is %v, want %v", m.Screen, want)
	}
}

// hosted is a room that was opened, with two players in it.
func hosted(t *testing.T) (*Model, *fakeControl) {
	t.Helper()
	m := homeModel(t)
	m.GoHost()
	m.Pick(m.Games.Games[0])
	at(t, m, ScreenHost)
	m.OpenRoom()
	c := &fakeControl{}
	m.Opened(c)
	m.Notice(session.RoomNotice{Room: room(host.PhaseLobby, player(0, 0, "Ann", true), player(1, 1, "Bob", false))})
	at(t, m, ScreenLobby)
	return m, c
}

func TestHostFromStartToGameAndBack(t *testing.T) {
	m := homeModel(t)
	m.GoHost()
	at(t, m, ScreenGames)
	m.Pick(m.Games.Games[0])
	at(t, m, ScreenHost)
	m.Host.Name, m.Host.Password, m.Host.Players, m.Host.Delay = "Friday", "secret", 3, 6
	m.Commands()
	m.OpenRoom()
	at(t, m, ScreenJoining)
	list := m.Commands()
	if got := kinds(list); got != "SaveSettings OpenSession" {
		t.Errorf("opening a room wants %q", got)
	}
	open := list[len(list)-1].(OpenSession)
	if *open.Host != (HostForm{"Friday", "secret", 3, 6, true, 4, 2 * time.Second}) || open.Game.Title != "Pad test" {
		t.Errorf("opens %+v", open)
	}
	if m.Config.Room.Name != "Friday" || m.Config.Room.Delay != 6 {
		t.Error("the room is not remembered in the settings")
	}
	c := &fakeControl{}
	m.Opened(c)
	m.Notice(session.Opened{Addr: "0.0.0.0:21204"})
	m.Notice(session.RoomNotice{Room: room(host.PhaseLobby, player(0, 0, "Ann", true))})
	at(t, m, ScreenLobby)
	m.SendChat("  hello ")
	m.SendChat("   ")
	m.SetDelay(7)
	m.SetSeats(1)
	m.Start()
	if got := fmt.Sprint(c.said); got != "[chat hello settings settings start]" || c.settings.Delay != 7 || c.settings.Seats != 2 {
		t.Errorf("of the session is wanted %s, %+v", got, c.settings)
	}
	m.Notice(session.Playing{Room: room(host.PhasePlaying, player(0, 0, "Ann", true), player(1, 1, "Bob", true))})
	at(t, m, ScreenPlaying)
	if m.Memory.PlayedAt()[[32]byte{1}] != now.Local() && !m.Memory.PlayedAt()[[32]byte{1}].Equal(now) {
		t.Error("it is not remembered when the game was played")
	}
	m.Back()
	if !m.Room.Menu {
		t.Error("Escape does not open the menu")
	}
	m.Notice(session.GameOver{})
	at(t, m, ScreenLobby)
	if m.Room.Last != nil || m.Room.Menu {
		t.Errorf("after a game that ended well: %+v", m.Room)
	}
}

func TestJoin(t *testing.T) {
	m := homeModel(t)
	m.Memory.Addresses = []string{"old.example"}
	m.GoJoin()
	if got := m.Commands(); !slices.Contains(got, Command(Browse{On: true})) {
		t.Errorf("the join screen wants %v, not to look for rooms", got)
	}
	m.EnterRoom()
	at(t, m, ScreenJoin)
	if m.Trouble == nil {
		t.Fatal("joining nothing gives no word")
	}
	m.Back()
	if m.Trouble != nil || m.Screen != ScreenJoin {
		t.Error("Escape does not close the box, and only that")
	}
	m.Join.Address = " friend.example "
	m.EnterRoom()
	at(t, m, ScreenJoining)
	list := m.Commands()
	if !slices.Contains(list, Command(Browse{On: false})) {
		t.Error("looking for rooms goes on in a room")
	}
	open := list[slices.IndexFunc(list, func(c Command) bool { _, ok := c.(OpenSession); return ok })].(OpenSession)
	if open.Join.Address != "friend.example:21204" || m.Memory.Addresses[0] != "friend.example" {
		t.Errorf("joins %q, remembers %q", open.Join.Address, m.Memory.Addresses)
	}
	m.Opened(&fakeControl{})
	bob := player(0, 0, "Bob", true)
	me := player(1, 1, "Ann2", true)
	me.Firmware.MAC = [6]byte{0, 9, 0xbf, 0, 0, 1}
	bob.Firmware.MAC = [6]byte{0, 9, 0xbf, 9, 9, 9}
	m.Notice(session.RoomNotice{Room: room(host.PhaseLobby, bob, me), Me: 1})
	at(t, m, ScreenLobby)
	if m.Room.Me != 1 {
		t.Errorf("my seat is %d", m.Room.Me)
	}
	m.Start()
	m.SetDelay(9)
	if said := m.control.(*fakeControl).said; len(said) != 0 {
		t.Errorf("who joined can do what only the host may: %v", said)
	}
}

func TestJoinRoomOfTheList(t *testing.T) {
	m := homeModel(t)
	m.GoJoin()
	m.ChooseRoom(lan.Found{Beacon: lan.Beacon{Room: "R", Password: true}, Addr: netip.MustParseAddrPort("192.168.1.9:5000")})
	m.Join.Password = "pw"
	m.Commands()
	m.EnterRoom()
	for _, c := range m.Commands() {
		if open, ok := c.(OpenSession); ok && (open.Join.Address != "192.168.1.9:5000" || open.Join.Password != "pw") {
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
	m.GoJoin()
	m.Join.Address, m.Join.Password = "friend.example", "wrong"
	m.EnterRoom()
	m.Opened(&fakeControl{})
	m.Over(session.Report{}, &session.Failure{Result: session.ResultLost, Err: errors.New("the password is wrong")})
	at(t, m, ScreenEnded)
	m.Retry()
	at(t, m, ScreenJoin)
	if m.Join.Address != "friend.example" || m.Join.Password != "wrong" {
		t.Errorf("the form has %+v", m.Join)
	}
	m.Back()
	at(t, m, ScreenHome)
}

// TestSettingsDuringAGame: what happens meanwhile counts when one comes back.
func TestSettingsDuringAGame(t *testing.T) {
	m, _ := hosted(t)
	m.Notice(session.Playing{})
	m.GoSettings()
	m.Back()
	at(t, m, ScreenPlaying)
	m.GoSettings()
	m.Notice(session.GameOver{})
	at(t, m, ScreenSettings)
	m.Back()
	at(t, m, ScreenLobby)
	m.GoSettings()
	m.Notice(session.Playing{})
	at(t, m, ScreenPlaying)
}

// fakeRemote writes down how a recording is moved.
type fakeRemote struct {
	Remote
	speed *float64
}

func (r fakeRemote) Speed(times float64) { *r.speed = times }

func TestWatch(t *testing.T) {
	m := homeModel(t)
	m.GoRecordings()
	if got := kinds(m.Commands()); got != "ListReplays" {
		t.Errorf("the recordings want %q", got)
	}
	m.Watch(Recording{Path: "/bad", Why: "This is not a recording of nettplay."})
	if at(t, m, ScreenRecordings); m.Trouble == nil {
		t.Error("a recording that cannot be read gives no word")
	}
	m.Back()
	m.Watch(Recording{Path: "/good", Game: "Pad test"})
	at(t, m, ScreenWatching)
	m.Watched(fakeRemote{})
	m.WatchStatus(session.PlayerStatus{Frame: 9})
	m.Commands()
	m.Back()
	at(t, m, ScreenRecordings)
	if got := kinds(m.Commands()); got != "StopReplay" {
		t.Errorf("going back wants %q", got)
	}
	m.WatchStatus(session.PlayerStatus{}) // late
	m.WatchOver(nil)
	at(t, m, ScreenRecordings)
	m.Watch(Recording{Path: "/good"})
	m.WatchOver(&Trouble{Title: "Something is missing"})
	at(t, m, ScreenRecordings)
	if m.Trouble == nil {
		t.Error("a recording that could not go on gives no word")
	}
}

// TestSpeedOfARecording: the list of speeds, which is higher than the bar, stays open while
// the mouse goes up to the slowest.
func TestSpeedOfARecording(t *testing.T) {
	m := homeModel(t)
	m.GoRecordings()
	m.Watch(Recording{Path: "/good", Game: "Pad test"})
	speed := 0.0
	m.Watched(fakeRemote{speed: &speed})
	m.WatchStatus(session.PlayerStatus{Frame: 600, Length: 6000, Playing: true, Speed: 1})
	v := viewOf(m)
	v.play = func(*widgets.UI) {}
	fonts, err := draw.NewFonts(v.store, draw.FontConfig{System: []string{}})
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
		ui.Frame(in, v.Build)
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
		m.Over(session.Report{}, err)
		at(t, m, ScreenEnded)
		e := m.Ended
		if e.Title == "" || !strings.HasSuffix(e.Words, ".") || strings.ToUpper(e.Words[:1]) != e.Words[:1] || !e.Again {
			t.Errorf("%s: %+v", name, e)
		}
		if strings.Contains(e.Hint, "\"nettplay ") {
			t.Errorf("%s: the hint tells of a command line: %s", name, e.Hint)
		}
		m.Commands()
		m.Retry()
		if !strings.Contains(kinds(m.Commands()), "OpenSession") {
			t.Errorf("%s: trying again does nothing", name)
		}
		m.Over(session.Report{}, err)
		m.Back()
		at(t, m, ScreenHome)
	}
}

// TestDesyncInARoomThatGoesOn: back in the lobby, with the reason.
func TestDesyncInARoomThatGoesOn(t *testing.T) {
	m, _ := hosted(t)
	m.Notice(session.Playing{})
	m.Notice(session.GameOver{Err: &session.Failure{Result: session.ResultDesync, Err: errors.New("consoles differ")}})
	at(t, m, ScreenLobby)
	if m.Room.Last == nil || m.Room.Last.Title == "" || m.Room.Last.Hint == "" {
		t.Errorf("how the game ended: %+v", m.Room.Last)
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
	moments := map[string]func(*Model){
		"in the lobby": func(*Model) {},
		"in a game":    func(m *Model) { m.Notice(session.Playing{}) },
		"in the menu":  func(m *Model) { m.Notice(session.Playing{}); m.Back() },
		"while asked":  func(m *Model) { m.AskLeave() },
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
		m.Over(session.Report{}, nil)
		if got := kinds(m.Commands()); got != "Quit" {
			t.Errorf("%s: after the session %q", name, got)
		}
	}
	// Before the session has told how to act on it.
	m = homeModel(t)
	m.GoHost()
	m.Pick(m.Games.Games[0])
	m.OpenRoom()
	m.Commands()
	m.Close()
	if got := kinds(m.Commands()); got != "EndSession" {
		t.Errorf("while a room opens: %q", got)
	}
}

func TestLeaveAsks(t *testing.T) {
	m, _ := hosted(t)
	m.Commands()
	m.Back()
	if m.Question == nil || !strings.Contains(m.Question.Words, "Leave your room") {
		t.Fatalf("closing a room with others in it asks %+v", m.Question)
	}
	m.Answer(false)
	if got := kinds(m.Commands()); got != "" || m.Question != nil {
		t.Errorf("no means %q", got)
	}
	m.Back()
	m.Answer(true)
	if got := kinds(m.Commands()); got != "EndSession" {
		t.Errorf("yes means %q", got)
	}
	m.Over(session.Report{}, nil)
	at(t, m, ScreenHome)
}

func TestAnnounceFollowsTheRoom(t *testing.T) {
	m := homeModel(t)
	m.GoHost()
	m.Pick(m.Games.Games[0])
	m.Host.Password = "x"
	m.OpenRoom()
	m.Opened(&fakeControl{})
	m.Commands()
	beacon := func() Announce {
		t.Helper()
		list := m.Commands()
		for _, c := range slices.Backward(list) {
			if a, ok := c.(Announce); ok {
				return a
			}
		}
		t.Fatal("nothing is said to the local network")
		return Announce{}
	}
	m.Notice(session.RoomNotice{Room: room(host.PhaseLobby, player(0, 0, "Ann", true), player(1, 1, "Bob", true))})
	a := beacon()
	want := lan.Beacon{
		Port: 21204, ROM: [8]byte{1}, Players: 2, Seats: 4, Password: true, Late: true,
		Room: "Ann's room", Host: "Ann", Game: "Pad test", Core: "DeSmuME", Program: "test",
	}
	if !a.On || a.Beacon != want {
		t.Errorf("announced: %+v, want %+v", a.Beacon, want)
	}
	playing := room(host.PhasePlaying, player(0, 0, "Ann", true))
	playing.Settings.Spectators, playing.Settings.NoLateJoin = 1, true
	m.Notice(session.RoomNotice{Room: playing})
	if a := beacon(); !a.Beacon.Playing || !a.Beacon.Watch || a.Beacon.Late {
		t.Errorf("a game that runs, and that one may watch, is announced as %+v", a.Beacon)
	}
	playing.Spectators = []host.Spectator{{Nickname: "Uma"}}
	m.Notice(session.RoomNotice{Room: playing})
	if a := beacon(); a.Beacon.Watch {
		t.Error("a room that nobody more may watch is announced as one to be watched")
	}
	m.Leave()
	if a := beacon(); a.On {
		t.Error("a room that closes is still announced")
	}
	m.Config.Room.Announce = false
	m.Notice(session.RoomNotice{Room: room(host.PhaseLobby, player(0, 0, "Ann", true))})
	if a := beacon(); a.On {
		t.Error("a private room is announced")
	}
}

func TestNoCore(t *testing.T) {
	m := homeModel(t)
	m.CoreFound(CoreState{Trouble: noCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
	m.GoHost()
	at(t, m, ScreenHome)
	if m.Trouble == nil || !strings.HasPrefix(m.Trouble.Copy, "sudo apt install") {
		t.Errorf("without a core: %+v", m.Trouble)
	}
}

func TestFirstSteps(t *testing.T) {
	m := NewModel(config.Defaults(), Memory{}, "test")
	at(t, m, ScreenWelcome)
	if got := kinds(m.Commands()); got != "FindCore ScanGames" {
		t.Errorf("at the start: %q", got)
	}
	m.Added(nil, "/home/ann/games", nil)
	if got := kinds(m.Commands()); got != "SaveSettings ScanGames" || !slices.Contains(m.Config.ROMs.Folders, "/home/ann/games") {
		t.Errorf("a dropped folder: %q, %q", got, m.Config.ROMs.Folders)
	}
	m.FinishWelcome()
	at(t, m, ScreenHome)
	if !m.Memory.Welcomed {
		t.Error("the first steps would come again")
	}
}

func TestDrop(t *testing.T) {
	m := homeModel(t)
	m.Drop("/x/game.nds")
	if got := m.Commands(); len(got) != 1 || got[0] != Command(AddGame{"/x/game.nds"}) {
		t.Errorf("a drop wants %v", got)
	}
	g := testGame("Dropped", 9)
	m.Added(&g, "", nil)
	at(t, m, ScreenHost)
	m.Back()
	at(t, m, ScreenGames)
	m.Back()
	at(t, m, ScreenHome)
	m.Added(nil, "", &Trouble{Title: "No game", Words: "It is packed."})
	if m.Trouble == nil {
		t.Error("a file that is no game gives no word")
	}
}

func TestAlonePausesInTheMenu(t *testing.T) {
	m := homeModel(t)
	m.GoAlone()
	m.Pick(m.Games.Games[0])
	at(t, m, ScreenAlone)
	m.Consoles = 1
	m.PlayAlone()
	at(t, m, ScreenStarting)
	c := &fakeControl{}
	m.Opened(c)
	m.Notice(session.RoomNotice{Room: room(host.PhasePreparing, player(0, 0, "Ann", true))})
	at(t, m, ScreenStarting)
	m.Notice(session.Playing{})
	at(t, m, ScreenPlaying)
	m.Back()
	m.Back()
	if got := fmt.Sprint(c.said); got != "[pause true pause false]" {
		t.Errorf("opening and closing the menu: %s", got)
	}
	m.Commands()
	m.Notice(session.GameOver{})
	if got := kinds(m.Commands()); got != "EndSession" {
		t.Errorf("a game alone that is over: %q", got)
	}
}

func TestChatIsBoundedAndSaysThingsOnce(t *testing.T) {
	m, _ := hosted(t)
	for range 3 {
		m.Notice(session.Message{Text: "Bob has left"})
	}
	if len(m.Room.Lines) != 1 {
		t.Errorf("%d lines", len(m.Room.Lines))
	}
	for i := range 1000 {
		m.Notice(session.Message{From: "Bob", Text: fmt.Sprint(i)})
	}
	if len(m.Room.Lines) != maxLines {
		t.Errorf("%d lines are kept", len(m.Room.Lines))
	}
}

// TestLateNotices: what a session still says after its end changes nothing.
func TestLateNotices(t *testing.T) {
	m, _ := hosted(t)
	m.Over(session.Report{}, nil)
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
		m.Notice(n)
		at(t, m, ScreenHome)
	}
}

func TestWithPort(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "  ": "", "10.0.0.1": "10.0.0.1:21204", "10.0.0.1:99": "10.0.0.1:99", "name.example": "name.example:21204",
		"name:": "name:21204", "::1": "[::1]:21204", "[::1]:5": "[::1]:5",
	} {
		if got := WithPort(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestRandomWalk: whatever is pressed and whatever happens, in any order, the
// program does not fall over, and the window can be closed.
func TestRandomWalk(t *testing.T) {
	for seed := range uint64(300) {
		m := homeModel(t)
		walk(m, seed)
		m.Close()
		m.Over(session.Report{}, nil)
		if !strings.Contains(kinds(m.Commands()), "Quit") {
			t.Fatalf("seed %d: the program does not end", seed)
		}
	}
}

func walk(m *Model, seed uint64) {
	game := testGame("Pad test", 1)
	steps := []func(){
		m.GoHost, m.GoAlone, m.GoJoin, m.GoSettings, m.GoAbout, m.GoRecordings, m.Back, m.Back, m.OpenRoom, m.EnterRoom, m.PlayAlone,
		m.AskLeave, m.Leave, m.Start, m.AskEndGame, m.Retry, m.ToggleMenu, m.PickOwn,
		func() { m.Answer(true) },
		func() { m.Answer(false) },
		func() { m.Pick(game) },
		func() { m.Join.Address = "a" },
		func() { m.SendChat("x") },
		func() { m.Drop("/x") },
		func() { m.Added(&game, "", nil) },
		func() { m.Bind("keys.a", "Z", true) },
		func() { m.Opened(&fakeControl{}) },
		func() { m.Notice(session.RoomNotice{Room: room(host.PhaseLobby, player(0, 0, "Ann", true))}) },
		func() { m.Notice(session.Playing{}) },
		func() { m.Notice(session.GameOver{Err: errors.New("x")}) },
		func() { m.Over(session.Report{}, errors.New("x")) },
		func() { m.Tick(m.now.Add(time.Second)) },
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
	m.Notice(session.Playing{})
	m.Notice(session.LineBroken{Machine: 1, Nickname: "Bob"})
	if !m.Room.Menu || len(m.Room.Away) != 1 {
		t.Fatalf("%+v", m.Room)
	}
	m.Notice(session.LineRestored{Machine: 1})
	if len(m.Room.Away) != 0 {
		t.Error("Bob is still away")
	}
	m.Notice(session.LineBroken{Machine: 1, Nickname: "Bob"})
	m.GoOnWithout(1)
	if !slices.Contains(c.said, "without 1") || m.Room.Menu {
		t.Errorf("%v", c.said)
	}
}
