package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// clock is the time on the consoles' clocks; any moment would do.
const clock = 1_256_409_000

// Usual are the probes for settings, but for Start, Sound and Pads; peer is the invitation of a
// friend, "" for none.
func Usual(settings config.Config, key, peer string) Probes {
	p := Probes{
		Core:    func(ctx context.Context) (emucore.Core, error) { return launch.FindCore(ctx, settings.Core) },
		Check:   check,
		Depth:   corecheck.Depth,
		Clock:   time.Now,
		Sandbox: emucore.Protections, Untried: untried, Ways: emucore.SnapshotWays, Key: key,
		Network: func(ctx context.Context) Network { return ProbeNetwork(ctx, settings.Net) },
	}
	if peer != "" {
		p.Peer = func(ctx context.Context) (link.Stats, error) {
			return launch.Machine{Settings: settings}.Line(ctx, peer, launch.LineTime)
		}
	}
	return p
}

// check checks a core anew, and keeps the verdict for the rooms to come.
func check(ctx context.Context, core emucore.Core) (corecheck.Verdict, error) {
	places, err := config.Data()
	if err != nil {
		return corecheck.Verdict{}, err
	}
	return launch.CheckCore(ctx, corecheck.OpenBook(places.CoreVerdicts), core, func(launch.Checking) {})
}

// Starter starts consoles with a program of ours that draws much. done removes its file.
func Starter() (start func(ctx context.Context, core emucore.Core, options []ds.Option) (Console, error), done func(), err error) {
	dir, err := os.MkdirTemp("", "nettplay-doctor-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	paths, err := romstest.WriteFiles(dir, romstest.ROM{Name: "draw3d.nds", Data: romstest.Draw3D})
	if err != nil {
		done()
		return nil, nil, err
	}
	rom, err := emucore.OpenROM(paths[0])
	if err != nil {
		done()
		return nil, nil, err
	}
	return func(ctx context.Context, core emucore.Core, options []ds.Option) (Console, error) {
		c, err := emucore.Start(ctx, emucore.Config{
			Core: core, ROM: rom, RTC: clock, Options: options,
			Firmware: ds.Firmware{Nickname: "Doctor", MAC: [6]byte{0, 9, 0xbf, 1, 2, 3}, Language: 1, BirthMonth: 1, BirthDay: 1},
		})
		if err != nil {
			return nil, err
		}
		return c, nil
	}, done, nil
}

// Folder is what there is to try in a folder.
type Folder struct {
	Games []*emucore.ROM         // by path; unread where only the header is known
	Not   []*emucore.NotROMError // what looks like a game and cannot be played, by path
	Left  []emucore.Skipped      // what was not looked at
}

// ScanFolder finds the games of a folder, also in archives, without reading more than their headers.
func ScanFolder(ctx context.Context, folder string) (f Folder, err error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return f, fmt.Errorf("look into %s: %w", folder, err)
	}
	walk, err := emucore.NewLibrary([]string{path}).Scan(ctx, func(l emucore.Scanned) bool {
		f.Games, f.Not = append(f.Games, l.ROMs...), append(f.Not, l.Not...)
		return true
	})
	if err != nil {
		return f, fmt.Errorf("look into %s: %w", folder, err)
	}
	f.Left = walk.Skipped
	slices.SortStableFunc(f.Games, func(a, b *emucore.ROM) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(f.Not, func(a, b *emucore.NotROMError) int { return cmp.Compare(a.Path, b.Path) })
	return f, nil
}

// Try tries each game of the folder that is another one than those before, with g's core and options. The
// functions hear of each game, on the caller's goroutine: of one that begins, and of what was seen, or of why it is no game.
// One that fails does not end it. An error is that of ctx, or of this machine.
func (f Folder) Try(ctx context.Context, g GameTrial, begin func(number, of int, name string), seen func(*Seen), no func(*emucore.NotROMError)) error {
	for _, n := range f.Not {
		no(n)
	}
	tried := map[[32]byte]bool{}
	for i, rom := range f.Games {
		begin(i+1, len(f.Games), gameName(rom))
		read, err := rom.Read(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			no(&emucore.NotROMError{Path: rom.Path, Why: why(err)})
			continue
		case tried[read.SHA256]:
			continue
		}
		tried[read.SHA256] = true
		g.ROM = read
		s, err := g.Run(ctx)
		if err != nil {
			return err
		}
		seen(&s)
	}
	return nil
}

// why is an error without the path.
func why(err error) string {
	if not, ok := errors.AsType[*emucore.NotROMError](err); ok {
		return not.Why
	}
	return err.Error()
}

// ProbeNetwork asks servers and the router, as a game host's machine does, and gives
// back what the router gave.
func ProbeNetwork(ctx context.Context, cfg config.Net) (n Network) {
	l, err := udp.Listen(udp.Config{Bind: cfg.Bind})
	if err != nil {
		return Network{Err: err}
	}
	defer l.Close()
	n.Asked, n.Servers = cfg.Forward, make([]Server, len(cfg.STUN))
	n.Own = link.Addresses(l)
	var jobs sync.WaitGroup
	for i, name := range cfg.STUN {
		jobs.Go(func() { n.Servers[i] = ask(ctx, l, name) })
	}
	if cfg.Forward {
		jobs.Go(func() { n.Mapping, n.Refused = forward(ctx, l.Port()) })
	}
	if n.Helps, n.HelpAt = cfg.HelpFriends, cfg.HelpPort; n.Helps {
		jobs.Go(func() { n.Helping = helps(ctx, cfg) })
	}
	if len(cfg.Relays) > 0 {
		jobs.Go(func() { n.Relays = askRelays(ctx, l, cfg.Relays) })
	}
	jobs.Wait()
	return n
}

// relayTime is the time that relays may take, relayLook the time between two looks.
const (
	relayTime = 3 * time.Second
	relayLook = 100 * time.Millisecond
)

// ProbeRelay asks one relay, from an address of this machine ("" for any).
func ProbeRelay(ctx context.Context, bind, name string) Finding {
	l, err := udp.Listen(udp.Config{Bind: bind})
	if err != nil {
		return judgeNetwork(Network{Err: err})[0]
	}
	defer l.Close()
	f := judgeRelay(relay.Status{Relay: name})
	for _, s := range askRelays(ctx, l, []string{name}) {
		f = judgeRelay(s)
	}
	return f
}

// helps reports whether a relay runs at this computer's port for friends.
func helps(ctx context.Context, cfg config.Net) bool {
	at := net.JoinHostPort(cmp.Or(cfg.Bind, "127.0.0.1"), strconv.Itoa(cfg.HelpPort))
	return ProbeRelay(ctx, cfg.Bind, at).Mark == Good
}

// askRelays asks relays for a mailbox that nobody knows.
func askRelays(ctx context.Context, l *udp.Link, names []string) (list []relay.Status) {
	ctx, cancel := context.WithTimeout(ctx, relayTime)
	defer cancel()
	l.SetMailbox(seal.NewSecret().Mailbox(l.Key()), names)
	for ctx.Err() == nil {
		list = l.Relays(names...).Status()
		if !slices.ContainsFunc(list, func(s relay.Status) bool { return s.RTT == 0 && s.Refused == "" }) {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(relayLook):
		}
	}
	return list
}

// ask asks a STUN server twice: the first time its name may have to be looked up.
func ask(ctx context.Context, l *udp.Link, name string) Server {
	s := Server{Name: name}
	for range 2 {
		began := time.Now()
		if s.Seen, s.Err = l.Outside(ctx, name); s.Err != nil {
			break
		}
		s.RTT = time.Since(began)
	}
	return s
}

// forward has the router forward a port for a moment.
func forward(ctx context.Context, port int) (m portmap.Mapping, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err = portmap.ErrNone
	portmap.Keep(ctx, port, func(got portmap.Mapping, why error) {
		m, err = got, why
		cancel()
	}, nil)
	return m, err
}
