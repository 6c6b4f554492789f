package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/stage"
)

// running is a session that runs.
type running struct {
	e       *engine
	open    OpenSession
	control *session.Control
	stop    context.CancelFunc
	done    chan struct{}
	cfg     config.Config

	// What follows belongs to the session's goroutine.
	saves  cartridges
	game   saves.Game // in our console
	about  saves.About
	inGame bool
}

// open begins a session. What comes of it is posted: Opened, notices, Over.
func (e *engine) open(c OpenSession) {
	if e.running != nil {
		<-e.running.done // it has been told to end, or is over already
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{e: e, open: c, control: session.NewControl(), stop: stop, done: make(chan struct{}), saves: cartridges{dir: e.places.Saves}, cfg: cloneConfig(e.config)}
	e.running = r
	core, shelf := e.core, e.shelf
	go func() {
		defer close(r.done)
		defer stop()
		r.run(ctx, core, shelf.Library())
	}()
}

// run is the whole of a session, on its goroutine.
func (r *running) run(ctx context.Context, core emucore.Core, games *emucore.Library) {
	r.e.post(func(m *Model) { m.Opened(r.control) })
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

// over keeps the save of a game that was still running, and posts the end.
func (r *running) over(report session.Report, err error) {
	saved, saveErr := false, error(nil)
	if r.inGame {
		saved, saveErr = r.keep(report, err == nil)
	}
	saveErr = errors.Join(saveErr, r.saves.close())
	r.e.post(func(m *Model) { m.Over(report, err, saved, saveErr) })
}

// config makes the session that the player wants.
func (r *running) config(core emucore.Core, games *emucore.Library) (session.Config, error) {
	cfg := r.cfg
	sc := session.Config{
		Core: core, Library: games, Firmware: firmware(cfg.Player), Version: r.e.version,
		Upload: int64(cfg.Net.Upload) << 10, Control: r.control, AskReady: r.open.Join != nil, // who hosts says so with Start
		Input:  func(frame int64) inputdelay.Input { return r.e.stage.Input(0, frame) },
		Notify: r.notice, Show: r.e.stage.Show,
	}
	if r.open.Game != nil {
		sc.ROM = r.open.Game.ROM
		var err error
		r.game = saves.GameOf(sc.ROM)
		if sc.SRAM, err = r.saves.read(r.game, 1); err != nil {
			return sc, err
		}
	}
	var err error
	switch {
	case r.open.Local > 0:
		return r.local(sc)
	case r.open.Host != nil:
		form := r.open.Host
		sc.Host = &session.HostRole{Password: form.Password, Settings: roomSettings(cfg, form.Players)}
		sc.Link, err = listen(link.Config{Port: cfg.Net.Port, Bind: cfg.Net.Bind, Silence: cfg.Net.Silence})
	default:
		sc.Join = &session.JoinRole{Addr: r.open.Join.Address, Password: r.open.Join.Password}
		sc.Link, err = listen(link.Config{Bind: cfg.Net.Bind, Silence: cfg.Net.Silence})
	}
	return sc, err
}

// listen keeps a failure from being a link that is none.
func listen(cfg link.Config) (link.Link, error) {
	l, err := link.Listen(cfg)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// local makes a session of consoles on this machine alone.
func (r *running) local(sc session.Config) (session.Config, error) {
	n := r.open.Local
	settings := roomSettings(r.cfg, max(n, 2))
	settings.MinPlayers, settings.Delay = n, 0
	sc.Host, sc.Once = &session.HostRole{Settings: settings, AutoStart: n}, true
	for i := 1; i < n; i++ {
		sram, err := r.saves.read(r.game, i+1)
		if err != nil {
			return sc, err
		}
		sc.Others = append(sc.Others, session.Local{
			Firmware: nextConsole(sc.Firmware, i), SRAM: sram,
			Input: func(frame int64) inputdelay.Input { return r.e.stage.Input(i, frame) },
		})
	}
	sc.Link = link.NewMemory(1, link.Impairment{}).Listen("local")
	return sc, nil
}

// nextConsole is the firmware of a further console on this machine.
func nextConsole(f emucore.Firmware, n int) emucore.Firmware {
	f.Nickname = fmt.Sprintf("Player %d", n+1)
	f.MAC[5] += byte(n)
	f.Colour = (f.Colour + uint8(5*n)) % 16
	return f
}

// firmware is the player's console.
func firmware(p config.Player) emucore.Firmware {
	mac, _ := p.Address()
	return emucore.Firmware{
		Nickname: p.Nickname, MAC: mac, Language: p.LanguageNumber(), Colour: p.ColourNumber(),
		BirthMonth: p.Birthday.Month, BirthDay: p.Birthday.Day,
	}
}

// roomSettings are the terms of a room by the settings.
func roomSettings(cfg config.Config, seats int) host.Settings {
	s := host.Settings{
		Room: roomName(cfg), Seats: seats, MinPlayers: min(2, seats), Delay: cfg.Room.Delay,
		RTC: cfg.Room.RTC.At(time.Now()), HashEvery: cfg.Room.HashEvery, Skew: cfg.Room.Skew,
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
	case session.RoomNotice:
		r.cartridge(n.Room)
	case session.Playing:
		r.begin(n.Room)
	case session.GameOver:
		r.ended(n)
	}
	r.e.stage.Notice(n)
	r.e.post(func(m *Model) { m.Notice(n) })
}

// cartridge reads the save for the game that we play, when that has become
// another: who joins learns of the game in the room. The file is small, and only
// the lobby waits for it.
func (r *running) cartridge(room host.Room) {
	if room.Phase != host.PhaseLobby {
		return
	}
	for _, p := range room.Players {
		if p.Seat != r.mySeat(room) || p.ROM.SHA256 == r.game.SHA256 {
			continue
		}
		r.game = saves.Game{SHA256: p.ROM.SHA256, Title: p.ROM.Title}
		r.giveSave()
	}
}

// giveSave puts the save into the cartridge for the next game.
func (r *running) giveSave() {
	sram, err := r.saves.read(r.game, 1)
	if err != nil {
		r.e.complain("Your save cannot be read", err)
		return
	}
	r.control.SRAM(sram)
}

// mySeat is our own seat.
func (r *running) mySeat(room host.Room) int {
	me := Model{Config: r.cfg, Room: &Room{Hosting: r.open.Join == nil}}
	return me.mySeat(room)
}

// begin tells the stage who plays.
func (r *running) begin(room host.Room) {
	r.inGame = true
	var seats []stage.Seat
	r.about = saves.About{Room: room.Settings.Room}
	mine := []int{r.mySeat(room)}
	for _, p := range room.Players {
		if p.Present {
			seats = append(seats, stage.Seat{Number: p.Seat, Name: p.Nickname})
			r.about.Players = append(r.about.Players, p.Nickname)
		}
	}
	for i := 1; i < r.open.Local; i++ {
		mine = append(mine, i)
	}
	r.e.stage.Begin(seats, mine)
}

// ended keeps the save of a game of a room that goes on, and puts it into the
// cartridge for the next one.
func (r *running) ended(n session.GameOver) {
	r.inGame = false
	_, err := r.keep(n.Report, n.Err == nil)
	if err != nil {
		r.e.complain("Your save could not be kept", err)
	}
	r.giveSave()
}

// keep keeps what a game left in the cartridges on this machine.
func (r *running) keep(report session.Report, well bool) (saved bool, err error) {
	if r.game == (saves.Game{}) {
		return false, nil
	}
	saved, err = r.saves.keep(r.game, 1, report.Frames, report.SRAM, r.about, well)
	for _, other := range report.Others {
		_, failed := r.saves.keep(r.game, other.Seat+1, report.Frames, other.SRAM, r.about, well)
		err = errors.Join(err, failed)
	}
	return saved, err
}
