package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/spectate"
)

// WatchConfig is what is needed to watch a room.
type WatchConfig struct {
	Link     link.Link // owned by Watch from its call on
	Addr     string    // "host:port" of the game host
	Nickname string
	Password string
	Version  string // of this program
	Core     emucore.Core
	ROMs     []*emucore.ROM   // games that are known to be here
	Library  *emucore.Library // where the others are looked for; may be nil
	Frames   int64            // end after so many frames of a game, 0 for all
	Once     bool             // end with the first game
	patience time.Duration    // how long a room is looked for; 0: as long as makes sense

	// Notify is told what happens in the room, on Watch's goroutine; it must not block,
	// and may be nil.
	Notify func(Notice)
	// Watched is told of the player of each game before it runs, on some goroutine. It
	// may be nil. The player's methods show and change how the game is watched; who
	// pauses it is behind and catches up later.
	Watched func(*player.Player)
	// Show and Told are the player's Show and Notify; see [player.Config].
	Show func(seat ds.Seat, f emucore.Frame)
	Told func()

	// Start, Random and what is for tests are as in [Config].
	Start       game.StartConsole
	Random      io.Reader
	TestOptions map[string]string
	TestTweak   func(*emucore.Config)
}

// Watch joins a room as a spectator and plays what happens in it, some time later, until
// ctx ends or as the configuration says. It closes the link and leaves nothing behind.
// The report has the consoles as this machine computed them; an error is a [*Failure] or
// ctx's doing.
func Watch(ctx context.Context, cfg WatchConfig) (Report, error) {
	v := &watching{cfg: cfg, report: Report{Seats: []game.SeatReport{}, Spectated: true}}
	v.report.Core = CoreReport{Name: cfg.Core.Name, Version: cfg.Core.Version, SHA256: fmt.Sprintf("%x", cfg.Core.SHA256)}
	err := v.watch(ctx)
	cfg.Link.Close()
	if err != nil && ctx.Err() != nil {
		err = nil // the player did not want to wait
	}
	v.report.conclude(err)
	return v.report, err
}

// watching plays what a spectator's machine gets.
type watching struct {
	cfg    WatchConfig
	report Report // belongs to Play while that runs
}

func (v *watching) watch(ctx context.Context) error {
	v.notify(Connecting{v.cfg.Addr})
	peer, err := v.cfg.Link.Dial(ctx, v.cfg.Addr)
	if err != nil {
		return notReached(err)
	}
	err = spectate.NewClient(spectate.Config{
		Link: v.cfg.Link, Peer: peer, Addr: v.cfg.Addr, Join: v.join, Viewer: v, Once: v.cfg.Once, Patience: v.cfg.patience,
	}).Run(ctx)
	var refusal *spectate.RefusedError
	var failure *Failure
	switch {
	case err == nil, errors.As(err, &failure):
		return err
	case errors.As(err, &refusal):
		return refused(refusal.Refusal)
	}
	return &Failure{Result: ResultLost, Err: err}
}

// join makes a client that asks to be let in as a spectator.
func (v *watching) join() (*host.Client, error) {
	core := room.CoreID{Name: v.cfg.Core.Name, Version: v.cfg.Core.Version, SHA256: v.cfg.Core.SHA256}
	return host.NewSpectator(host.JoinConfig{
		Nickname: v.cfg.Nickname, Password: v.cfg.Password, Version: v.cfg.Version, Random: cmp.Or(v.cfg.Random, rand.Reader), Core: core,
	})
}

func (v *watching) notify(n Notice) {
	if v.cfg.Notify != nil {
		v.cfg.Notify(n)
	}
}

// GameOver implements [spectate.Viewer], as do the following.
func (v *watching) GameOver() { v.notify(GameOver{Report: v.report}) }

func (v *watching) Room(room room.Room) { v.notify(RoomNotice{Room: room, Me: -1}) }

func (v *watching) Message(from, text string) { v.notify(Message{From: from, Text: text}) }

// Play looks for the games of a log and plays it.
func (v *watching) Play(ctx context.Context, log *replay.Log, seen int64) (frames int64, done bool, err error) {
	p, err := v.player(ctx, log)
	if err != nil {
		return 0, false, err
	}
	if seen > 0 {
		p.CatchUp(seen)
	}
	if v.cfg.Watched != nil {
		v.cfg.Watched(p)
	}
	err = p.Run(ctx)
	s := p.Status()
	v.report.Frames, v.report.Seats = s.Frame, p.Seats()
	if v.report.Seats == nil {
		v.report.Seats = []game.SeatReport{}
	}
	differs := s.Difference != nil && !s.Mended
	if differs {
		v.report.Desyncs++
	}
	switch {
	case err != nil:
		err = &Failure{Result: ResultCore, Err: fmt.Errorf("playing what is watched: %w", err), Hint: coreHint(err)}
	case differs:
		err = &Failure{
			Result: ResultDesync, Err: fmt.Errorf("what you saw was not the game: %w", s.Difference),
			Hint: "This machine's core computes otherwise than the players' do.",
		}
	}
	return s.Frame, v.cfg.Frames > 0 && s.Frame >= v.cfg.Frames, err
}

// player looks for the games of a log and makes a player of it.
func (v *watching) player(ctx context.Context, log *replay.Log) (*player.Player, error) {
	roms, needs, err := player.Needs(ctx, log, v.cfg.Core, false, v.cfg.ROMs, v.cfg.Library)
	if err != nil {
		return nil, &Failure{Result: ResultCore, Err: err}
	}
	if len(needs) > 0 {
		var words []string
		for _, n := range needs {
			words = append(words, n.What)
		}
		return nil, &Failure{Result: ResultCore, Err: fmt.Errorf("this game cannot be watched without %s", strings.Join(words, ", and ")), Hint: needs[0].Hint}
	}
	p, err := player.New(player.Config{
		Log: log, Core: v.cfg.Core, ROMs: roms, Show: v.cfg.Show, Notify: v.cfg.Told, End: v.cfg.Frames, EndAtEnd: true,
		Start: v.cfg.Start, TestOptions: v.cfg.TestOptions, TestTweak: v.cfg.TestTweak,
	})
	if err != nil {
		return nil, &Failure{Result: ResultCore, Err: err}
	}
	return p, nil
}
