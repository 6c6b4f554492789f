package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/film"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/speech"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	"github.com/nettplay/nettplay/internal/ui/window"
)

// Options say how the program starts.
type Options struct {
	Places  Places
	Version string
	// Open, when set, opens or joins a room at once, as if the player had walked
	// there.
	Open func(m *Shell)
	// FullScreen fills the display whatever the settings say.
	FullScreen bool
	// Software never uses the graphics card.
	Software bool
	// Beacons are where rooms are announced, and Listen where they are looked for;
	// their zero values are all local networks.
	Beacons []netip.AddrPort
	Listen  netip.AddrPort
	// Log gets what happens in rooms; nil for nothing.
	Log *slog.Logger
	// Events gets what happens in rooms, for other programs; nil for nothing. It stays the caller's.
	Events *launch.Events

	observe func(p *program) // is called after each picture that nothing follows at once, for tests
}

// Run opens the window and returns when the program is over: the room has been
// left in good order, the save is kept, nothing is left behind. When ctx ends, it
// is as if the window had been closed. It must be called on the main thread, with
// the goroutine locked to it.
func Run(ctx context.Context, o Options) error {
	p := &program{}
	if err := p.open(o); err != nil {
		return err
	}
	defer p.close()
	stop := context.AfterFunc(ctx, func() { p.post(func(m *Shell) { m.session.Close() }) })
	defer stop()
	return p.loop(o.observe)
}

// program is everything there is while the program runs. It belongs to the main
// thread, except the inbox. It is the [Engine] of its screens.
type program struct {
	*engine // what screens want done and needs no window

	window  *window.Window
	pads    *pads.Controllers
	store   *draw.Store
	ui      *widgets.UI
	shell   *Shell
	hub     *hub
	door    *Door // nil where another window listens
	quit    bool
	leaving bool // it is over once nothing runs any more
	full    bool // fills the display whatever the settings say
	unseen  int  // pictures in a row that could not be drawn
	pace    pace

	applied applied

	narrator narrator
	speaker  *speech.Speaker // nil while nothing is read aloud

	mu    sync.Mutex // guards inbox
	inbox []func(*Shell)
}

func (p *program) open(o Options) (err error) {
	cfg, trouble := loadConfig(o.Places.Config)
	p.store, p.full = &draw.Store{}, o.FullScreen || window.InGameSession()
	remembered := memory.Load(o.Places.Memory)
	p.shell = NewShell(cfg, remembered.Clone(), o.Version, p.store, p)
	p.shell.Trouble = trouble
	p.shell.session.Addresses = launch.LocalAddresses()
	p.shell.Key = launch.Fingerprint()
	p.shell.Met = func(key seal.Public) string {
		book, _ := online.OpenKnownKeys(o.Places.KnownKeys) // it is empty where it cannot be read
		return book.Name(key)
	}
	fonts, err := draw.NewFonts(p.store, nil)
	if err != nil {
		return fmt.Errorf("opening the window: %w", err)
	}
	width, height := windowSize(cfg)
	p.window, err = window.Open(window.Config{ // first: without it nothing else has to begin
		Title: "nettplay", Width: width, Height: height, Place: window.Place(p.shell.Memory.Window),
		FullScreen: p.fullscreen(), Scale: cfg.Video.UIScale, VSync: cfg.Video.VSync, Software: o.Software,
	}, p.store)
	if err != nil {
		return fmt.Errorf("opening the window: %w", err)
	}
	p.hub = newHub(cfg, p.store, func() { p.window.Wake() })
	p.hub.mapper.Recall(p.shell.Memory.Controllers)
	p.pads, _ = pads.OpenControllers(p.hub.mapper, filepath.Dir(o.Places.Config)) // without them, the keyboard plays
	if err := p.pads.Wrong(); err != nil {
		p.shell.PadFiles = screen.Sentence(err.Error())
	}
	p.window.OnEvent(both(p.pads.Event, p.hub.player.Event))
	p.hub.view.SetLens(p.window)
	p.shell.AutoScale = p.window.SuitingScale()
	p.applied = p.wanted()
	p.ui = widgets.New(fonts, p.window)
	p.speak()
	p.shell.Game = func(u *widgets.UI) { p.hub.draw(u, p.shell) }
	p.engine = newEngine(o.Places, o.Version, p.hub, p.post)
	p.engine.shell, p.engine.remembered = p.shell, remembered
	p.engine.lan.to, p.engine.lan.listen = o.Beacons, o.Listen
	p.engine.log, p.engine.events = o.Log, o.Events
	p.shell.Begin()
	if o.Open != nil {
		o.Open(p.shell)
	}
	if o.Places.Door != "" {
		p.door, err = ListenForLinks(o.Places.Door, p.offered) // without it, each link opens a window
		if errors.Is(err, ErrOtherWindow) {
			p.shell.Say(secondWindow)
		}
	}
	return nil
}

// secondWindow tells a player who has a window open already what both have in common.
const secondWindow = "nettplay is already open in another window. Both use the same saves and settings: a game's save can be open in only one of them, and the last change to the settings wins."

// offered asks the main thread whether the window takes a link or a file. It may be called on any goroutine.
func (p *program) offered(what string) bool {
	var asked atomic.Bool // or it is too late for that
	answer := make(chan bool, 1)
	p.post(func(m *Shell) {
		if asked.Swap(true) {
			return
		}
		took := m.Take(what)
		if took {
			p.window.Raise()
		}
		answer <- took
	})
	select {
	case took := <-answer:
		return took
	case <-time.After(offerWait):
		return asked.Swap(true) && <-answer
	}
}

// offerWait is the longest wait of a program that offers something until the window has time for it. It
// opens a window itself then.
const offerWait = 2 * time.Second

// both calls one function and then another.
func both[E any](a, b func(E)) func(E) {
	return func(e E) {
		a(e)
		b(e)
	}
}

func (p *program) close() {
	p.remember(true)
	if p.speaker != nil {
		p.speaker.Close()
	}
	p.door.Close()
	p.engine.close()
	p.hub.close()
	p.pads.Close()
	p.window.Close()
}

// post runs something on the main thread, soon. It may be called from any
// goroutine, and never blocks.
func (p *program) post(f func(*Shell)) {
	p.mu.Lock()
	p.inbox = append(p.inbox, f)
	p.mu.Unlock()
	p.window.Wake()
}

// loop draws pictures until the program is over.
func (p *program) loop(observe func(*program)) (err error) {
	wait := time.Duration(0)
	for !p.quit {
		in, more := p.window.Next(wait)
		if p.leaving && in.Close {
			break // who is asked once more does not wait any longer
		}
		p.deliver()
		move := p.hub.mapper.Menu(in.Now)
		if p.shell.Current != screen.Playing || p.hub.muted || p.ui.Busy() {
			in.Nav, in.Control = move.Nav, move.Control
		}
		if move.Open {
			p.shell.openMenu()
		}
		p.screens(move)
		p.name()
		silence := p.hub.player.Work(time.Now())
		p.shell.NoSound = p.hub.player.Missing()
		p.hub.mute(p.shell)
		kept := p.keep()
		out := p.ui.Frame(in, p.shell.Build)
		p.apply()
		p.narrate()
		p.remember(false)
		p.shoot(out)
		wait = shorter(shorter(out.Wake, move.Wake), silence)
		var held time.Duration
		if !more && !move.More {
			if held, err = p.showInTime(out); err != nil {
				return err
			}
			if held > 0 || kept {
				wait = shorter(wait, held) // later frames are there, or will be
			}
		}
		if observe != nil && !more && !move.More && !acted(in) {
			observe(p)
		}
		if move.More || p.waiting() || acted(in) {
			wait = 0 // the screen may be another one now
		}
	}
	return nil
}

// name tells the screens what is plugged in, and what is printed on buttons and keys.
func (p *program) name() {
	p.shell.Pads, p.shell.PadKind = p.hub.mapper.Pads(), p.hub.mapper.Kind()
	p.shell.Strange, p.shell.Lesson = p.pads.Strange(), p.pads.Lesson()
	seat, name, asks := p.hub.mapper.Asking()
	p.shell.WhosePad = screen.WhosePad{Asks: asks, Player: seat, Name: name}
	p.keepPads()
	p.shell.KeyLabels = p.window.KeyLabels()
	p.hub.view.NameKeys(p.shell.KeyLabel)
	p.ui.SetPadWords(p.shell.PadKind.Words())
}

// keepPads keeps what is new of controllers: their players, and buttons that were taught.
func (p *program) keepPads() {
	if list, changed := p.hub.mapper.Controllers(); changed {
		p.shell.Memory.Controllers = list
		p.SaveMemory()
	}
	mappings, why := p.pads.Learned()
	if why != "" {
		p.shell.Say(why)
	}
	folder := filepath.Dir(p.engine.places.Config)
	for _, mapping := range mappings {
		p.shell.Tell("The controller's buttons are known now.")
		p.engine.write(func() {
			if err := pads.KeepMapping(folder, mapping); err != nil {
				p.post(func(m *Shell) { m.Say(screen.Sentence(err.Error())) })
			}
		})
	}
}

// screens changes how consoles are shown, by a controller, and keeps a clip: in a game while nothing lies over
// it, and in a recording, of which there are no clips.
func (p *program) screens(move pads.Move) {
	if p.ui.Busy() || !p.hub.replay && (p.hub.muted || p.shell.Current != screen.Playing) {
		return
	}
	if move.Layout {
		p.hub.view.Do(gameview.NextLayout)
	}
	if move.Swap {
		p.hub.view.Do(gameview.SwapScreens)
	}
	if move.Clip && !p.hub.replay {
		p.shell.session.Clip()
	}
}

// remember keeps in mind where the window is, once it stays there, or now.
func (p *program) remember(now bool) {
	if place, changed := p.window.Place(now); changed {
		p.shell.Memory.Window = memory.Window(place)
		p.SaveMemory()
	}
}

// shoot writes a picture of the window, when one is wanted.
func (p *program) shoot(out widgets.Output) {
	if !p.hub.shoot {
		return
	}
	p.hub.shoot = false
	img, err := p.window.Screenshot(out.List)
	if err != nil {
		p.shell.Say(screen.Sentence(err.Error()))
		return
	}
	dir := p.engine.places.Screens
	path := filepath.Join(dir, time.Now().Format("2006-01-02 15.04.05.000")+".png")
	p.engine.write(func() {
		err := os.MkdirAll(dir, 0o700)
		if err == nil {
			err = film.WritePNG(path, img)
		}
		p.post(func(m *Shell) {
			if err != nil {
				m.SayOf("picture", screen.Sentence("the screenshot could not be saved: "+err.Error()))
				return
			}
			m.TellOf("picture", "Screenshot saved to "+path)
		})
	})
}

// acted tells whether the player did something that may change the screen.
func acted(in widgets.Input) bool {
	return in.Pressed != 0 || in.Released != 0 || in.Press.Key != 0 || in.Nav != 0 || in.Text != "" || in.Control != "" ||
		len(in.Dropped) > 0 || in.Close || in.Lost
}

// shorter is the sooner of two times to wait; negative is for ever.
func shorter(a, b time.Duration) time.Duration {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// deliver runs what others have posted.
func (p *program) deliver() {
	p.mu.Lock()
	list := p.inbox
	p.inbox = nil
	p.mu.Unlock()
	p.shell.Tick(time.Now())
	for _, f := range list {
		f(p.shell)
	}
	p.apply()
}

func (p *program) waiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.inbox) > 0
}

// Quit implements screen.Engine: it ends the program once nothing runs any more. The window shows that meanwhile: a router may
// take seconds to close a port.
func (p *program) Quit() {
	if p.leaving {
		return
	}
	p.leaving = true
	wait := p.engine.leave()
	go func() {
		wait()
		p.post(func(*Shell) { p.quit = true })
	}()
	p.shell.Wait = "Leaving …"
}

// OpenChat implements room.Engine.
func (p *program) OpenChat() { p.hub.view.Do(gameview.OpenChat) }

// CopyText implements screen.Engine.
func (p *program) CopyText(text string) (copied bool) {
	p.window.Copy(text)
	return p.window.CanCopy()
}

// LeavePads implements screen.Engine.
func (p *program) LeavePads() { p.hub.mapper.LeaveOrder() }

// Teach implements settings.Engine.
func (p *program) Teach(pad pads.ID) { p.pads.Teach(pad) }

// SkipButton implements settings.Engine.
func (p *program) SkipButton() { p.pads.Skip() }

// ButtonAgain implements settings.Engine.
func (p *program) ButtonAgain() { p.pads.Again() }

// EndLesson implements settings.Engine.
func (p *program) EndLesson() { p.pads.EndLesson() }

// Alert implements screen.Engine.
func (p *program) Alert() {
	if p.shell.Config.Video.Flash {
		p.window.Flash()
	}
	if p.shell.Config.Audio.Chime {
		p.hub.player.Chime()
	}
}
