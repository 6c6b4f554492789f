package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
)

// running is a session that runs.
type running struct {
	e       *engine
	open    room.OpenSession
	control *session.Control
	stop    context.CancelFunc
	done    chan struct{}
	cfg     config.Config
	hosts   bool          // the room is ours; of the session's goroutine
	playing atomic.Bool   // a game runs
	ended   chan struct{} // has room for one: it does not any more
	roster  *roster
}

// open begins a session. What comes of it is posted: Opened, notices, Over.
func (e *engine) open(c room.OpenSession) {
	if e.running != nil {
		<-e.running.done // it has been told to end, or is over already
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{e: e, open: c, control: session.NewControl(), stop: stop, done: make(chan struct{}), cfg: settings.Clone(e.config), ended: make(chan struct{}, 1), roster: newRoster(e.stage)}
	e.running = r
	core, shelf := e.core, e.shelf
	go func() {
		defer close(r.done)
		defer stop()
		r.run(ctx, core, shelf.Library())
	}()
}

// lastFrames is how long a game that is being ended may take for it.
const lastFrames = 3 * time.Second

// leave ends the session in good order, beside everything else. Who hosts first
// ends the game: that is at one frame for all, so everybody's save is whole.
func (r *running) leave() {
	r.e.jobs.Go(func() {
		defer r.stop()
		if r.open.Join != nil || !r.playing.Load() {
			return
		}
		r.control.EndGame("the game host has left")
		select {
		case <-r.ended:
		case <-r.done:
		case <-time.After(lastFrames):
		}
	})
}

// run is the whole of a session, on its goroutine.
func (r *running) run(ctx context.Context, core emucore.Core, games *emucore.Library) {
	r.e.post(func(m *Shell) { m.session.Opened(&seating{r.control, r}) })
	sc, err := r.config(core, games)
	if err != nil {
		r.over(session.Report{}, err)
		return
	}
	recorder := r.recorder()
	if recorder != nil {
		sc.Recorder = recorder
		defer r.finish(recorder)
	}
	report, err := session.Run(ctx, sc)
	if ctx.Err() != nil {
		err = nil // the player wanted it
	}
	r.over(report, err)
}

// recorder records the games, if the player wants that; else it is nil.
func (r *running) recorder() *replay.Recorder {
	if !r.cfg.Recording.Enabled {
		return nil
	}
	dir, err := r.cfg.Recording.Dir()
	if err != nil {
		r.e.complain("The game cannot be recorded", err)
		return nil
	}
	return replay.NewRecorder(replay.Config{Folder: dir})
}

// finish waits until the recording is in its file.
func (r *running) finish(recorder *replay.Recorder) {
	if err := recorder.Close(); err != nil {
		r.e.complain("The game could not be recorded", err)
	}
}

// over posts the end.
func (r *running) over(report session.Report, err error) {
	r.e.post(func(m *Shell) { m.session.Over(report, err) })
}

// config makes the session that the player wants.
func (r *running) config(core emucore.Core, games *emucore.Library) (session.Config, error) {
	cfg := r.cfg
	sc := session.Config{
		Core: core, Library: games, Firmware: firmware(cfg.Player), Version: r.e.version,
		Upload: int64(cfg.Net.Upload) << 10, Control: r.control, AskReady: r.open.Join != nil, // who hosts says so with Start
		Input:  func(frame int64) inputdelay.Input { return r.e.stage.Input(0, frame) },
		Notify: r.notice, Show: r.roster.show,
		OpenSaves: func(rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
			return openSaves(r.e.places.Saves, rom, console)
		},
		Desyncs: r.e.places.Desyncs,
	}
	if r.open.Game != nil {
		sc.ROM = r.open.Game.ROM
	}
	sc.Others = r.localPlayers(r.open.LocalPlayers)
	var err error
	switch {
	case r.open.Local > 0:
		return r.local(sc)
	case r.open.Host != nil:
		form := r.open.Host
		seats := max(form.Players, 1+len(sc.Others))
		sc.Host = &session.HostRole{Password: form.Password, Settings: roomSettings(cfg, seats)}
		sc.Link, err = listen(link.Config{Port: cfg.Net.Port, Bind: cfg.Net.Bind, Silence: cfg.Net.Silence})
	default:
		sc.Join = &session.JoinRole{Addr: r.open.Join.Address, Password: r.open.Join.Password}
		sc.Link, err = listen(link.Config{Bind: cfg.Net.Bind, Silence: cfg.Net.Silence})
	}
	return sc, err
}

// listen keeps a failure from being a link that is none, and finds another port when the
// one of a room is in use.
func listen(cfg link.Config) (link.Link, error) {
	l, err := link.Listen(cfg)
	if errors.Is(err, link.ErrPortInUse) {
		return nil, &room.PortError{Err: err, Free: freeRoomPort(cfg)}
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// freeRoomPort is the next port above a room's that is free, but for the one that rooms
// are announced on.
func freeRoomPort(cfg link.Config) int {
	ip := net.ParseIP(cfg.Bind)
	for port := cfg.Port + 1; port <= min(cfg.Port+50, 65535); port++ {
		if port == lan.Port {
			continue
		}
		c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: ip, Port: port})
		if err == nil {
			_ = c.Close()
			return port
		}
	}
	return 0
}

// local makes a session of consoles on this machine alone.
func (r *running) local(sc session.Config) (session.Config, error) {
	n := r.open.Local
	settings := roomSettings(r.cfg, max(n, 2))
	settings.MinPlayers, settings.Delay, settings.Spectators = n, 0, 0
	sc.Host, sc.Once = &session.HostRole{Settings: settings, AutoStart: n}, true
	for i := 1; i < n; i++ {
		sc.Others = append(sc.Others, r.player(i, fmt.Sprintf("Player %d", i+1)))
	}
	sc.Link = link.NewMemory(1, link.Impairment{}).Listen("local")
	return sc, nil
}

// localPlayers are the players beside the first at this machine.
func (r *running) localPlayers(names []string) (list []session.Local) {
	for i, name := range names {
		list = append(list, r.player(i+1, name))
	}
	return list
}

// player is a further player at this machine, of whom the first is number 1.
func (r *running) player(n int, name string) session.Local {
	f := firmware(r.cfg.Player)
	f.Nickname = name
	f.MAC[5] += byte(n)
	f.Colour = (f.Colour + uint8(5*n)) % 16
	return session.Local{Firmware: f, Input: func(frame int64) inputdelay.Input { return r.e.stage.Input(n, frame) }}
}

// seating is a session's control, which also seats players at this machine.
type seating struct {
	*session.Control
	r *running
}

// LocalPlayers implements room.Control.
func (s *seating) LocalPlayers(names []string) { s.Others(s.r.localPlayers(names)) }

// firmware is the player's console.
func firmware(p config.Player) ds.Firmware {
	mac, _ := p.Address()
	return ds.Firmware{
		Nickname: p.Nickname, MAC: mac, Language: p.LanguageNumber(), Colour: p.ColourNumber(),
		BirthMonth: p.Birthday.Month, BirthDay: p.Birthday.Day,
	}
}

// roomSettings are the terms of a room by the settings.
func roomSettings(cfg config.Config, seats int) host.Settings {
	s := host.Settings{
		Room: roomName(cfg), Seats: seats, MinPlayers: min(2, seats), Delay: cfg.Room.Delay,
		RTC: cfg.Room.RTC.At(time.Now()), HashEvery: cfg.Room.HashEvery, Skew: cfg.Room.Skew,
		NoLateJoin: !cfg.Room.LateJoin, KeepConsoles: cfg.Room.Keep, Spectators: cfg.Room.Spectators, SpectateDelay: int(cfg.Room.SpectateDelay.Round(time.Second).Seconds()),
	}
	for key, value := range cfg.Core.Options {
		s.Options = append(s.Options, host.Option{Key: key, Value: value})
	}
	slices.SortFunc(s.Options, func(a, b host.Option) int { return cmp.Compare(a.Key, b.Key) })
	return s
}

// roomName is what a room is called.
func roomName(cfg config.Config) string {
	if cfg.Room.Name != "" {
		return cfg.Room.Name
	}
	return cfg.Player.Nickname + "'s room"
}

// notice takes what the session tells, on its goroutine.
func (r *running) notice(n session.Notice) {
	switch n := n.(type) {
	case session.Playing:
		r.playing.Store(true)
		r.begin(n)
	case session.RoomNotice:
		r.roster.room(n.Room)
	case session.GameOver:
		r.playing.Store(false)
		r.roster.end()
		select {
		case r.ended <- struct{}{}:
		default:
		}
	}
	if _, ok := n.(session.Opened); ok {
		r.hosts = true
	}
	r.e.stage.Notice(n)
	r.e.post(func(m *Shell) { m.session.Notice(n) })
}

// begin tells the stage who plays.
func (r *running) begin(n session.Playing) {
	var seats []gameview.Seat
	for _, p := range n.Room.Players {
		if p.Present {
			seats = append(seats, gameview.Seat{Number: p.Seat, Name: p.Nickname})
		}
	}
	r.roster.begin(seats, n.Mine, nil)
}
