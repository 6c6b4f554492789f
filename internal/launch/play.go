package launch

import (
	"context"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session"
)

// Play is one start of a player: in exactly one of Host, Join and Solo.
type Play struct {
	Host *Host
	Join *Join
	Solo *Solo

	ROM          *emucore.ROM // nil when joining: the game host's, found in the library
	LocalPlayers []string     // names of the local players after the first, in a room
	Input        Input
	Port         int    // UDP port to listen at, 0 for any; without a meaning for Solo
	SaveFile     string // file of the first console's save; "" for the saves folder
	Record       Record
	Frames       int64         // the game ends after so many frames of our console; 0 for never
	Wait         time.Duration // how long to wait for a player who is disconnected in the game; 0 for a minute
	Once         bool          // the session ends with its first game
	Cheats       Cheats        // that the room begins with; of Host and Solo
	SetAside     bool          // saves that are not those of a kept moment may be set aside
	WithoutSave  bool          // games begin without saves that do not fit their cartridges
}

// Host opens a room, by the room's settings.
type Host struct {
	// Players starts the game when so many players are ready; with 0 the player starts
	// it.
	Players  int
	Password string // "" lets everybody in
	// Continue is the moment from which the first game goes on, of [Machine.Continue]; nil for
	// none.
	Continue *Continued
	// Door is that of an earlier room, whose invitation stays good; zero: a new one.
	Door room.Door
}

// Join joins a room.
type Join struct {
	Address  string // "host:port", an invitation or a code
	Password string
	AskReady bool // the player says when they are ready; else they are as soon as they can start
}

// Solo plays on this machine alone.
type Solo struct {
	Consoles int // 1 to 16
	Delay    int // input delay, in frames
}

// soloPlayer names the further consoles of somebody who plays alone.
var soloPlayer = config.Player{Nickname: "Player"}

// Record says where the games are recorded.
type Record struct {
	File string // "" for the recordings folder, with a readable name
	Off  bool   // not at all, whatever the settings say
}

// Session is a session that is ready to run.
type Session struct {
	Config session.Config
	// Recorder records the games, nil for none. Close it when the session is over.
	Recorder *replay.Recorder
	// NotRecorded is the reason why games are not recorded although the settings ask for it. They can
	// be played all the same.
	NotRecorded error
}

// Play makes the session of a player. Its errors are the network's (a [*PortError], or
// one of [udp.Listen] or that a code stands for no room), the core's (a [*corecheck.FailedError]), of cheats (a [*CheatError])
// or that ctx ended while the core was checked. The session owns the link from the call of
// [session.Run] on.
func (m Machine) Play(ctx context.Context, p Play) (s Session, err error) {
	defer func() {
		if err != nil && p.Host != nil {
			p.Host.Continue.Close()
		}
	}()
	if m.Core, err = m.checkCore(ctx); err != nil {
		return s, err
	}
	s = Session{Config: session.Config{
		Core: m.Core, Source: m.source(), ROM: p.ROM, Library: m.Library, Firmware: Firmware(m.Settings.Player), Version: m.Version,
		Upload: int64(m.Settings.Net.Upload) << 10,
		Files: session.Files{
			OpenSaves: m.openSaves(p.SaveFile), Chips: saves.OpenChips(m.Places.Saves), Unwritten: m.Unwritten, Desyncs: m.Places.Desyncs, Moments: m.Places.Moments, SetAside: p.SetAside,
			WithoutSave: p.WithoutSave,
		},
		Input: p.Input.of(0), Frames: p.Frames, Once: p.Once, Depth: Depth(m.Places, m.Core, -1), OwnDelay: autodelay.ChoiceNamed(m.Settings.Net.OwnDelay),
	}}
	names := p.LocalPlayers
	if p.Solo != nil {
		names = RoomNames(soloPlayer, p.Solo.Consoles)
	}
	s.Config.LocalPlayers = LocalPlayers(m.Settings.Player, names, p.Input)
	m.role(&s.Config, p)
	m.withoutRollback(s.Config.Host)
	if s.Config.Host != nil {
		if s.Config.Host.Settings.Cheats, err = m.ChooseCheats(p.ROM, p.Cheats); err != nil {
			return Session{}, &CheatError{err}
		}
	}
	if err := m.network(ctx, &s.Config, p); err != nil {
		return Session{}, err
	}
	m.remember(p.ROM)
	s.Recorder, s.NotRecorded = m.recorder(p.Record)
	if s.Recorder != nil {
		s.Config.Recorder = s.Recorder
	}
	return s, nil
}

// A CheatError is about the cheats that a room was to begin with.
type CheatError struct{ Err error }

func (e *CheatError) Error() string { return e.Err.Error() }
func (e *CheatError) Unwrap() error { return e.Err }

// role sets whether the session hosts or joins. A solo game is a room for nobody else.
func (m Machine) role(cfg *session.Config, p Play) {
	players := 1 + len(cfg.LocalPlayers)
	switch {
	case p.Solo != nil:
		cfg.Host = &session.HostRole{Settings: soloSettings(m.Settings, players, p.Solo.Delay), AutoStart: players}
	case p.Host != nil:
		seats := max(m.Settings.Room.Seats, p.Host.Players, players)
		cfg.Host = &session.HostRole{Settings: RoomSettings(m.Settings, seats), Password: p.Host.Password, Door: p.Host.Door}
		if cfg.Host.Door.Secret == (seal.Secret{}) {
			cfg.Host.Door = m.newDoor()
		}
		cfg.Host.AutoStart, cfg.Host.Wait = p.Host.Players, p.Wait
		cfg.Host.Settings.MinPlayers = max(cfg.Host.Settings.MinPlayers, p.Host.Players)
		if c := p.Host.Continue; c != nil {
			cfg.Host.Continue, cfg.Host.Open = c.log, c.open
		}
	default:
		cfg.AskReady = p.Join.AskReady
		cfg.Join = &session.JoinRole{Addr: p.Join.Address, Password: p.Join.Password, Wait: p.Wait}
	}
	if cfg.Host != nil {
		cfg.Host.Settings.Frames = p.Frames
		cfg.Host.Settings.Options = coreOptions(m.Settings.Core, emucore.ProfileFor(m.Core.Name))
	}
}

func (m Machine) network(ctx context.Context, cfg *session.Config, p Play) (err error) {
	if p.Solo != nil {
		cfg.Link = link.Alone()
		return nil
	}
	var door room.Door
	if cfg.Host != nil {
		door = cfg.Host.Door
	} else {
		var v invite.Invitation
		if cfg.Join.Addr, v, err = m.target(ctx, p.Join.Address); err != nil {
			return err
		}
		cfg.Join.Secret, cfg.Join.Moved = v.Secret, m.moved(v)
		door.Secret = v.Secret
	}
	cfg.Link, err = m.listen(p.Port, door)
	return err
}

// recorder makes what records the games, nil for nothing.
func (m Machine) recorder(r Record) (*replay.Recorder, error) {
	switch {
	case r.File != "":
		return replay.NewRecorder(replay.Config{Path: r.File}), nil
	case r.Off || !m.Settings.Recording.Enabled:
		return nil, nil
	}
	dir, err := m.Settings.Recording.Dir()
	if err != nil {
		return nil, err
	}
	return replay.NewRecorder(replay.Config{Folder: dir}), nil
}

// Input returns the input of one of this machine's consoles, 0 being the first. It is asked once for
// each local frame, in order, on the session's goroutine, and must not block.
type Input func(console int, frame int64) inputdelay.Input

// of is the input of one console.
func (in Input) of(console int) func(frame int64) inputdelay.Input {
	return func(frame int64) inputdelay.Input { return in(console, frame) }
}

// Firmware is the firmware of the player's own console.
func Firmware(p config.Player) ds.Firmware {
	mac, _ := p.Address()
	return ds.Firmware{
		Nickname: p.Nickname, MAC: mac, Language: p.LanguageNumber(), Colour: p.ColourNumber(),
		BirthMonth: p.Birthday.Month, BirthDay: p.Birthday.Day,
	}
}

// colourStep is the distance between the colours of two local players. It has no common
// factor with the number of colours, so all differ.
const colourStep = 5

// LocalPlayers are the players at this machine after the first, by their names. Their
// addresses and colours follow from the first player's, so that the same start gives the
// same game.
func LocalPlayers(p config.Player, names []string, input Input) []session.LocalPlayer {
	var list []session.LocalPlayer
	for i, name := range names {
		f := Firmware(p)
		f.Nickname = name
		f.MAC[5] += byte(i + 1)
		f.Colour = (f.Colour + uint8(colourStep*(i+1))) % uint8(len(config.Colours()))
		list = append(list, session.LocalPlayer{Firmware: f, Input: input.of(i + 1)})
	}
	return list
}

// RoomNames are the usual names of the local players after the first in a room: "Ann 2",
// "Ann 3".
func RoomNames(p config.Player, players int) (names []string) {
	for i := 2; i <= players; i++ {
		names = append(names, config.NumberedNickname(p.Nickname, i))
	}
	return names
}
