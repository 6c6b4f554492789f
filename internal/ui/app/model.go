package app

import (
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// Screen is what the window shows.
type Screen uint8

// The screens.
const (
	ScreenHome       Screen = iota
	ScreenWelcome           // first steps: nickname, core, games
	ScreenGames             // pick a game
	ScreenHost              // what the room is to be like
	ScreenJoin              // which room
	ScreenAlone             // how many consoles on this machine
	ScreenJoining           // on the way into a room
	ScreenLobby             // in a room
	ScreenStarting          // consoles are built on this machine alone
	ScreenPlaying           // the consoles run
	ScreenEnded             // a session is over, and why
	ScreenRecordings        // of games, to be watched
	ScreenWatching          // one of them, or a room
	ScreenSaves             // that are kept of games
	ScreenSettings
	ScreenAbout
)

// String is the screen's name, for tests.
func (s Screen) String() string {
	names := [...]string{
		"home", "welcome", "games", "host", "join", "alone", "joining", "lobby", "starting", "playing", "ended",
		"recordings", "watching", "saves", "settings", "about",
	}
	if int(s) < len(names) {
		return names[s]
	}
	return "none"
}

// Trouble is something that went wrong, in words: what happened and why, and
// what the player can do. Copy is something to type elsewhere, with a button to
// copy it.
type Trouble struct {
	Title string // a few words
	Words string // a sentence or two
	Hint  string // what to do; may be ""
	Copy  string // may be ""
}

// CoreState is what is known of the emulator core.
type CoreState struct {
	Looking bool
	Core    emucore.Core   // the one to be used, if Found
	Found   bool           //
	All     []emucore.Core // to choose from in the settings
	Trouble *Trouble       // why none is there
}

// HostForm is what the player fills in to open a room.
type HostForm struct {
	Name     string // "" is made from the nickname
	Password string
	Players  int // seats
	Delay    int // frames
	LateJoin bool

	Spectators    int           // how many may watch
	SpectateDelay time.Duration // how far they are behind
}

// JoinForm is what the player fills in to join one.
type JoinForm struct {
	Address  string
	Password string
	Room     *lan.Found    // the room of the list that was chosen; nil with an address
	OwnGame  *library.Game // another game than the game host's; nil for that
}

// Line is one line of the chat.
type Line struct {
	From string // nickname; "" when the room says it
	Text string
}

// Room is the room that the player is in, or on the way to.
type Room struct {
	Hosting  bool
	Local    int    // consoles on this machine alone; 0 for a room on the network
	Address  string // what the player typed, or "" when hosting
	Port     int    // the room's UDP port, when hosting
	Password bool   // the room has one, when hosting
	Game     *library.Game
	Known    bool // Room is valid
	Room     host.Room
	Machine  int // our machine's number in it
	Me       int // our seat
	Lines    []Line
	Blockers []string // why the game cannot start, for the game host
	Transfer session.Transfer
	Behind   *session.CatchingUp // we follow a game into which we come; nil: not yet
	Last     *Trouble            // how the last game of the room ended, if not well

	Playing   bool
	Saves     bool // our cartridge has backup memory
	Paused    bool
	Away      []session.LineBroken // whose line is broken, in the game
	Waiting   []string             // whom our console waits for
	WaitSince time.Time
	Figures   session.Figures
	Menu      bool // the menu is open over the game
}

// Ended is how a session ended.
type Ended struct {
	Trouble
	Again bool // the same room can be tried again
	Port  int  // a free one, when that of the room is in use; else 0
}

// Question is asked over everything else, and must be answered.
type Question struct {
	Words, Hint string
	Yes, No     string // what the buttons say
	Do          func() // when the answer is yes
}

// Toast is a short message that goes away by itself.
type Toast struct {
	Text string
	Good bool // something went as it should
}

// Model is what the program is doing and what it knows: everything that a screen
// shows, and nothing of how. Its methods are what the player and the world do;
// what is to be done about it outside comes out of Commands. It is pure: no file,
// socket, goroutine or clock. One goroutine owns it. Make one with NewModel.
type Model struct {
	Screen   Screen
	Config   config.Config
	Memory   Memory
	Version  string
	Core     CoreState
	Games    library.List
	Query    string // in the list of games
	Lit      int    // in the list of games, as it is shown
	Picked   *library.Game
	Purpose  Purpose // what a game is picked for
	Host     HostForm
	Join     JoinForm
	Consoles int // of a game on this machine alone
	Rooms    []lan.Found
	NoRooms  string // why rooms cannot be found by themselves; "" when they can
	Room     *Room  // nil outside of one
	Ended    Ended

	Recordings []Recording // the newest first
	Watching   *Watching   // a recording, or a room; nil when none is
	Saves      SavesForm
	Question   *Question
	Trouble    *Trouble // shown in a box over the screen, until it is closed
	Toasts     []Toast  // still to be shown
	Settings   SettingsForm
	Closing    bool // the program ends when the session has

	Addresses []string   // of this machine in its local networks
	Sounds    []string   // names of what can play sound, while the settings show
	Pads      []pads.Pad // controllers that are plugged in
	Beside    []string   // who plays at this machine beside the player of the settings

	now      time.Time
	back     []Screen // where Back leads
	control  Control  // of the running session; nil when there is none
	commands []Command
	again    func() // tries the last room again
	watches  int    // how many there were
	ready    func() // to be done when the core is known
}

// Purpose is what a game is picked for.
type Purpose uint8

// The purposes.
const (
	ForHost Purpose = iota
	ForAlone
	ForJoin // a cartridge of one's own in somebody else's room
)

// Control acts on the running session. It is what internal/session's Control does;
// every method may be called at any time and returns at once.
type Control interface {
	Ready(ready bool)
	Chat(text string)
	Start()
	Settings(change func(host.Settings) host.Settings)
	Kick(seat int, why string)
	KickSpectator(number int, why string)
	Leave(why string)
	Pause(paused bool)
	Delay(frames int)
	EndGame(why string)
	Beside(names []string) // who plays at this machine beside us; in the lobby
	ROM(*emucore.ROM)
	SRAM(sram []byte)
	MaxSpeed(on bool)
	GoOnWithout(machine int)
}

// Command is something to be done outside of the model. Its dynamic type is one of
// the types below.
type Command any

// The commands.
type (
	FindCore  struct{}              // find the core of the settings, and all others
	ScanGames struct{}              // look through the ROM folders of the settings
	AddGame   struct{ Path string } // take a file that was dropped; answer with Added
	Browse    struct{ On bool }     // look for rooms on the local network
	Announce  struct {              // tell the local network of our room
		On     bool
		Beacon lan.Beacon
	}
	OpenSession struct { // begin a session; answer with Opened or Over
		Host   *HostForm // one of the three is set
		Join   *JoinForm
		Local  int
		Beside []string      // further players at this machine, in a room
		Game   *library.Game // nil: the game host's
	}
	EndSession   struct{} // leave in good order; answer with Over
	SaveSettings struct{} // write Config
	SaveMemory   struct{} // write Memory
	CopyText     struct{ Text string }
	ListReplays  struct{}                           // read the folder for recordings
	WatchReplay  struct{ Path string }              // play one; answer with Watched, WatchStatus, WatchOver
	WatchRoom    struct{ Address, Password string } // the same, and WatchNotice
	StopReplay   struct{}                           // end either
	Enlarge      struct{ Seat int }                 // let one console of what is watched be large, or with AllSeats all
	Quit         struct{}                           // end the program
)

// NewModel makes the model of a program that has just started. The first commands
// are there at once.
func NewModel(cfg config.Config, memory Memory, version string) *Model {
	m := &Model{Config: cfg, Memory: memory, Version: version, Consoles: 1}
	m.Core.Looking = true
	m.Games.Scanning = true
	m.command(FindCore{})
	m.command(ScanGames{})
	if !memory.Welcomed {
		m.Screen = ScreenWelcome
	}
	m.fillForms()
	return m
}

// fillForms puts the settings into the forms.
func (m *Model) fillForms() { m.Host = hostForm(m.Config.Room) }

// hostForm is what settings say of a room.
func hostForm(room config.Room) HostForm {
	return HostForm{
		Name: room.Name, Password: room.Password, Players: room.Seats, Delay: room.Delay,
		LateJoin: room.LateJoin, Spectators: room.Spectators, SpectateDelay: room.SpectateDelay,
	}
}

func (m *Model) command(c Command) { m.commands = append(m.commands, c) }

// Commands returns what is to be done, in order, and forgets it. Call it after
// every other call.
func (m *Model) Commands() []Command {
	c := m.commands
	m.commands = nil
	return c
}

// Tick tells the time, which only words like "just now" go by.
func (m *Model) Tick(now time.Time) { m.now = now }

// Say shows a short message.
func (m *Model) Say(text string) { m.toast(Toast{Text: text}) }

// Tell shows a short message that something went as it should.
func (m *Model) Tell(text string) { m.toast(Toast{Text: text, Good: true}) }

func (m *Model) toast(t Toast) {
	m.Toasts = append(m.Toasts, t)
	m.Toasts = m.Toasts[max(0, len(m.Toasts)-3):]
}
