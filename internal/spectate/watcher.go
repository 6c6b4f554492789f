package spectate

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
	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// A machine that watches a room asks the game host for the log of each game ([Spectator]), and plays it (package player).

// WatchConfig holds all that is needed to watch a room.
type WatchConfig struct {
	Link     link.Link   // owned by Watch from its call on
	Addr     string      // "host:port" of the game host
	Moved    link.Finder // of the room's present game host; may be nil
	Nickname string
	Password string
	Version  string // of this program
	Core     emucore.Core
	ROMs     []*emucore.ROM   // games that are known to be here
	Library  *emucore.Library // where the others are looked for; may be nil
	Frames   int64            // end after so many frames of a game, 0 for all
	Once     bool             // end with the first game
	Patience time.Duration    // how long a room is looked for; 0: as long as makes sense

	// Notify is told what happens in the room, on Watch's goroutine; it must not block,
	// and may be nil.
	Notify func(notice.Notice)
	// Watched is told of the player of each game before it runs, on some goroutine. It
	// may be nil. The player's methods show and change how the game is watched; who
	// pauses it is behind and catches up later.
	Watched func(*player.Player)
	// Show and Told are the player's Show and Notify; see [player.Config].
	Show func(seat ds.Seat, f emucore.Frame)
	Told func()

	// Start, Random and what is for tests are as in a session's configuration.
	Start       game.StartConsole
	Random      io.Reader
	TestOptions map[string]string
	TestTweak   func(*emucore.Config)
}

// Watch joins a room as a spectator and plays what happens in it, some time later, until
// ctx ends or as the configuration says. It closes the link and leaves nothing behind.
// The report has the consoles as this machine computed them; an error is a [*notice.Failure] or
// ctx's doing.
func Watch(ctx context.Context, cfg WatchConfig) (notice.Report, error) {
	v := &watching{cfg: cfg, report: notice.Report{Seats: []game.SeatReport{}, Spectated: true}}
	v.report.Core = notice.CoreReport{Name: cfg.Core.Name, Version: cfg.Core.Version, SHA256: fmt.Sprintf("%x", cfg.Core.SHA256)}
	err := v.watch(ctx)
	cfg.Link.Close()
	if err != nil && ctx.Err() != nil {
		err = nil // the player did not want to wait
	}
	v.report.Conclude(err)
	return v.report, err
}

// watching plays what a spectator's machine gets.
type watching struct {
	cfg    WatchConfig
	report notice.Report // belongs to Play while that runs
	cheats [32]byte      // SHA-256 of those of which the player was told
}

func (v *watching) watch(ctx context.Context) error {
	v.notify(notice.Connecting{Addr: v.cfg.Addr})
	peer, err := v.cfg.Link.Dial(ctx, v.cfg.Addr)
	if to, moved := v.cfg.Moved.Moved(ctx, v.cfg.Addr, err); moved {
		v.cfg.Addr = to
		peer, err = v.cfg.Link.Dial(ctx, to)
	}
	if err != nil {
		return notice.NotReached(err)
	}
	err = NewSpectator(Config{
		Link: v.cfg.Link, Peer: peer, Addr: v.cfg.Addr, Moved: v.cfg.Moved, Join: v.join, Machine: v, Once: v.cfg.Once, Patience: v.cfg.Patience,
	}).Run(ctx)
	var refusal *RefusedError
	var failure *notice.Failure
	switch {
	case err == nil, errors.As(err, &failure):
		return err
	case errors.As(err, &refusal):
		return notice.Refused(refusal.Refusal)
	}
	return &notice.Failure{Result: notice.ResultLost, Err: err}
}

// join makes a client that asks to be let in as a spectator.
func (v *watching) join() (*client.Client, error) {
	core := player.CoreID(v.cfg.Core)
	return client.NewSpectator(client.Config{
		Config: membership.Config{Nickname: v.cfg.Nickname, Password: v.cfg.Password, Version: v.cfg.Version, Random: cmp.Or(v.cfg.Random, rand.Reader)},
		Core:   core,
	})
}

func (v *watching) notify(n notice.Notice) {
	if v.cfg.Notify != nil {
		v.cfg.Notify(n)
	}
}

// GameOver implements [Machine], as do the following.
func (v *watching) GameOver() { v.notify(notice.GameOver{Report: v.report}) }

func (v *watching) Room(room room.Room) {
	v.notify(notice.RoomNotice{Room: room, Me: -1})
	words, now := room.Settings.Cheats.News(v.cheats)
	if v.cheats = now; words != "" {
		v.Message("", words)
	}
}

func (v *watching) Message(from, text string) { v.notify(notice.Message{From: from, Text: text}) }

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
		err = &notice.Failure{Result: notice.ResultCore, Err: fmt.Errorf("playing what is watched: %w", err), Hint: notice.CoreHint(err)}
	case differs:
		err = &notice.Failure{
			Result: notice.ResultDesync, Err: fmt.Errorf("the game you saw differs from the players': %w", s.Difference),
			Hint: "This computer's core computes otherwise than the players' do.",
		}
	}
	// A log that still grows at the game's end only has what becomes of the players.
	return s.Frame, v.cfg.Frames > 0 && s.Frame >= v.cfg.Frames || s.Live && s.AtEnd, err
}

// player looks for the games of a log and makes a player of it.
func (v *watching) player(ctx context.Context, log *replay.Log) (*player.Player, error) {
	roms, needs, err := player.Needs(ctx, log, v.cfg.Core, false, v.cfg.ROMs, v.cfg.Library)
	if err != nil {
		return nil, &notice.Failure{Result: notice.ResultCore, Err: err}
	}
	if len(needs) > 0 {
		var words []string
		for _, n := range needs {
			words = append(words, n.What)
		}
		return nil, &notice.Failure{Result: notice.ResultCore, Err: fmt.Errorf("this game cannot be watched without %s", strings.Join(words, ", and ")), Hint: needs[0].Hint}
	}
	p, err := player.New(player.Config{
		Log: log, Core: v.cfg.Core, ROMs: roms, Show: v.cfg.Show, Notify: v.cfg.Told, End: v.cfg.Frames, EndAtEnd: true,
		Start: v.cfg.Start, TestOptions: v.cfg.TestOptions, TestTweak: v.cfg.TestTweak,
	})
	if err != nil {
		return nil, &notice.Failure{Result: notice.ResultCore, Err: err}
	}
	return p, nil
}
