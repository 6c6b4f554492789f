package gameview

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// noticeShown is for how long a notice of ours is seen.
const noticeShown = 3 * time.Second

// Hand takes what the player presses: a pads.Mapper. Its seats count from 0
// in the order of this machine's own.
type Hand interface {
	Key(name string, down bool)
	Touch(seat int, x, y uint8)
	Lift(seat int)
	Release()
	Mute(muted bool)
	Cursor(seat int) (x, y uint8, shown bool)
}

// View is how the player wants the stage.
type View struct {
	Options
	Smooth  bool // pixels are interpolated, otherwise sharp
	HUD     bool
	Hotkeys Hotkeys
}

// ViewOf makes a view of the settings.
func ViewOf(c config.Config) View {
	v := c.Video
	how := Arrangement{Layout: LayoutOf(v.Layout), Emphasis: EmphasisOf(v.Emphasis), Swap: v.Swap, Integer: v.Integer, Gap: v.Gap}
	return View{Options: Options{Arrangement: how, Others: v.Others}, Smooth: v.Filter == "linear", HUD: v.HUD, Hotkeys: HotkeysOf(c)}
}

// Keep puts what hotkeys can change of a view into settings.
func (v View) Keep(c *config.Config) {
	c.Video.Layout, c.Video.Emphasis, c.Video.Swap = v.Layout.String(), v.Emphasis.String(), v.Swap
	c.Video.Others, c.Video.HUD = v.Others, v.HUD
}

// Seat is a console of a game.
type Seat struct {
	Number int
	Name   string
}

// Event is something that the Stage leaves to who builds it.
type Event struct {
	Do   Action
	On   bool   // of FastForward: the key went down
	Text string // of SendChat
}

// Stage is the screen of a game that runs. Make one with New.
type Stage struct {
	hand  Hand
	store *draw.Store
	wake  func()
	feeds [ds.MaxSeats]Feed
	leads atomic.Uint32 // bits of the seats whose frames make the next picture
	news  atomic.Bool   // there is something to see that no picture was asked for

	mu       sync.Mutex // guards what comes from other goroutines
	seats    []Seat
	mine     []int
	others   []int
	figures  session.Figures
	figured  bool          // figures are new
	figureAt time.Duration // when they came
	paused   session.Paused
	talk     talk

	// What follows belongs to the main thread.
	view     View
	lens     Lens
	sights   []*sight // looked at before, the newest last
	plan     Plan
	pen      Pen
	textures [ds.MaxSeats]screenTextures
	overlay  overlay
	next     overlay // from the next picture on
	draft    string
	notice   string
	noticeAt time.Duration
	noted    bool // noticeAt is set
	fast     bool
	events   []Event
	again    time.Duration
}

// overlay is what is open over the consoles.
type overlay uint8

const (
	nothing overlay = iota
	menuOpen
	chatOpen
	asking // whether to leave
)

// New makes a stage whose pictures are textures of a store. wake makes the main thread
// build and show the next picture; it is called from any goroutine and returns at once
// (window.Window.Wake).
func New(store *draw.Store, hand Hand, wake func(), view View) *Stage {
	return &Stage{store: store, hand: hand, wake: wake, view: view}
}

// SetView changes how the stage looks.
func (s *Stage) SetView(v View) {
	if v.Smooth != s.view.Smooth {
		s.drop()
	}
	s.view = v
}

// View returns how the stage looks: hotkeys change it.
func (s *Stage) View() View { return s.view }

// Begin prepares for a game of consoles in some seats, of which mine are this
// machine's, in the order of its devices. Any goroutine.
func (s *Stage) Begin(seats []Seat, mine []int) {
	s.mu.Lock()
	s.figures, s.figured, s.paused = session.Figures{}, false, session.Paused{}
	s.mu.Unlock()
	s.Change(seats, mine)
}

// Change is for a game whose consoles are others from now on: somebody came into it, or
// left. Any goroutine.
func (s *Stage) Change(seats []Seat, mine []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	valid := func(n int) bool { return n >= 0 && n < ds.MaxSeats }
	s.seats, s.mine, s.others = nil, nil, nil
	for _, seat := range seats {
		switch {
		case !valid(seat.Number):
			continue
		case !slices.Contains(mine, seat.Number):
			s.others = append(s.others, seat.Number)
		}
		s.seats = append(s.seats, seat)
	}
	for _, n := range mine {
		if valid(n) {
			s.mine = append(s.mine, n)
		}
	}
	s.leads.Store(leads(s.mine, s.others))
	s.wake()
}

// leads are the seats whose frames make the next picture: our own, for what the player
// does is to be seen at once; for who only watches, one of all.
func leads(mine, others []int) (bits uint32) {
	if len(mine) == 0 && len(others) > 0 {
		mine = others[:1]
	}
	for _, n := range mine {
		bits |= 1 << n
	}
	return bits
}

// Show takes a frame of a console. It is called on the console's goroutine. While nothing
// moves on any console, no picture is made.
func (s *Stage) Show(seat int, frame emucore.Frame) {
	if seat < 0 || seat >= ds.MaxSeats {
		return
	}
	if s.feeds[seat].Put(frame) {
		s.news.Store(true)
	}
	if s.leads.Load()>>seat&1 != 0 && s.news.Swap(false) {
		s.wake()
	}
}

// Notice takes what the session tells; what does not concern the stage is ignored.
// Any goroutine.
func (s *Stage) Notice(n session.Notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch n := n.(type) {
	case session.Figures:
		s.figures, s.figured = n, true
		s.figures.Waiting = slices.Clone(n.Waiting)
		s.figures.OnAir = slices.Clone(n.OnAir)
	case session.Message:
		s.talk.add(n)
	case session.Paused:
		s.paused = n
	default:
		return
	}
	s.wake()
}

// Say shows a short notice for some seconds, such as where a screenshot is.
func (s *Stage) Say(text string) {
	s.notice, s.noted = text, false
	s.wake()
}

// Close forgets the pictures and lets go of everything. The Stage can begin again.
func (s *Stage) Close() {
	s.drop()
	s.hand.Release()
	s.hand.Mute(false)
	s.overlay, s.next, s.draft, s.fast = nothing, nothing, "", false
	for i := range s.feeds {
		s.feeds[i].Take()
	}
}

// moment is what a picture shows of what other goroutines tell.
type moment struct {
	seats        []Seat
	mine, others []int
	figures      session.Figures
	since        time.Duration
	paused       session.Paused
	lines        []session.Message
	wake         time.Duration
}

// look copies what other goroutines told.
func (s *Stage) look(now time.Duration) (m moment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.figured {
		s.figured, s.figureAt = false, now
	}
	m = moment{
		seats: s.seats, mine: s.mine, others: s.others, figures: s.figures,
		since: now - s.figureAt, paused: s.paused,
	}
	m.lines, m.wake = s.talk.show(now, s.overlay == chatOpen)
	return m
}

// Build builds the picture and returns what the player wants that the stage cannot do
// itself. It takes the whole window.
func (s *Stage) Build(u *widgets.UI) []Event {
	s.events = s.events[:0]
	if !u.Settling() {
		s.setOverlay(s.next)
	}
	in, list := u.Input(), u.Canvas()
	m := s.look(in.Now)
	s.plan = Arrange(Area{
		Width: list.Size().X, Height: list.Size().Y, Scale: float64(list.Scale()),
		Line: int(list.LineHeight(widgets.StyleSmall)*list.Scale()) + 2,
	}, m.mine, m.others, s.view.Options)
	if !u.Settling() {
		s.refresh()
		s.sharpen(&s.plan)
		s.listen(in, m)
	}
	s.paint(list, m, in.Now)
	s.overlays(u, m)
	s.again = s.soonest(m, in.Now)
	return s.events
}

// Wake returns after how long the next picture is to be built even if nothing happens,
// negative if there is no need.
func (s *Stage) Wake() time.Duration { return s.again }

// soonest is when something that is shown goes or counts on.
func (s *Stage) soonest(m moment, now time.Duration) time.Duration {
	wake := m.wake
	earlier := func(d time.Duration) {
		if d > 0 && (wake < 0 || d < wake) {
			wake = d
		}
	}
	if s.notice != "" {
		earlier(s.noticeAt + noticeShown - now)
	}
	if len(m.figures.Waiting) > 0 {
		earlier(100 * time.Millisecond)
	}
	return wake
}

// setOverlay opens something over the consoles, or closes it.
func (s *Stage) setOverlay(o overlay) {
	if o == s.overlay {
		return
	}
	s.overlay = o
	s.hand.Mute(o != nothing)
	if s.fast {
		s.fast = false
		s.events = append(s.events, Event{Do: FastForward})
	}
	s.pen.Lift()
}

// open opens something with the next picture: the key that did it is not for that.
func (s *Stage) open(o overlay) {
	s.next = o
	s.wake()
}
