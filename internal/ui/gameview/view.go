package gameview

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// noticeShown is the time for which a notice of ours is seen.
const noticeShown = 3 * time.Second

// Hand takes what the player presses: a pads.Mapper. console counts this machine's own
// from 0.
type Hand interface {
	Key(name string, down bool)
	Touch(console int, x, y uint8)
	Lift(console int)
	Release()
	Mute(muted bool)
	Cursor(console int) (x, y uint8, shown bool)
	// Turn tells how the picture is turned, and whether the cross turns with it; the stylus does in any case.
	Turn(t pads.Turn, cross bool)
}

// Preferences are the player's settings of the consoles.
type Preferences struct {
	Options
	Hotkeys   Hotkeys
	TurnCross bool // the cross turns with the picture
}

// PreferencesOf returns the preferences of the settings.
func PreferencesOf(c config.Config) Preferences {
	return Preferences{Options(c.Video), HotkeysOf(c), c.Pads.Turn}
}

// Keep puts what hotkeys can change into settings.
func (p Preferences) Keep(v *config.Video) {
	v.Layout, v.Emphasis, v.Rotation, v.Swap = p.Layout, p.Emphasis, p.Rotation, p.Swap
	v.Others, v.HUD = p.Others, p.HUD
}

// Console is a console of a game, and whose it is.
type Console struct {
	Seat   ds.Seat
	Name   string
	Colour uint8 // the player's favourite one, by its number in the console
}

// Event is something that the View leaves to its caller.
type Event struct {
	Do   Action
	On   bool   // of FastForward: the key went down
	Text string // of SendChat
}

// View is the consoles of a game on the screen, with figures, messages and chat. Make one
// with New.
type View struct {
	hand  Hand
	store *draw.Store
	wake  func()
	clock func() time.Time
	feeds [ds.MaxSeats]Feed
	leads atomic.Uint32 // bits of the seats whose frames make the next picture
	news  atomic.Bool   // there is something to see that no picture was asked for
	off   atomic.Uint32 // bits of the seats whose consoles are switched off
	held  atomic.Bool   // pictures wait for the next frame of our own
	told  told

	// The following fields belong to the main thread.
	prefs    Preferences
	keyLabel func(name string) string // what is printed on a key
	sharp    sharpener
	plan     Plan
	planned  planned
	evens    [ds.MaxSeats]even
	pen      Pen
	textures [ds.MaxSeats]screenTextures
	chat     chat
	notice   remark
	fast     bool
	plates   []draw.Rect // behind the words that lie over consoles, of this picture
	events   []Event
	fresh    bool // a picture was built with a frame that Shown was not told of
	keeps    bool // later frames wait
}

// planned is what the plan was made from.
type planned struct {
	area         Area
	how          Options
	mine, others []ds.Seat
}

// arrange makes the plan anew where what it comes from has changed. The slices are not changed by anybody.
func (v *View) arrange(p planned) {
	was := v.planned
	if v.planned = p; p.area != was.area || p.how != was.how || !slices.Equal(p.mine, was.mine) || !slices.Equal(p.others, was.others) {
		v.plan = Arrange(p.area, p.mine, p.others, p.how)
		return
	}
	for i := range v.plan.Mine {
		v.plan.Mine[i].sights = [2]*sight{}
	}
}

// told is the news from other goroutines.
type told struct {
	mu    sync.Mutex // guards what follows
	news  news
	came  first // when the figures did
	begun first // when the game's first picture was built
	talk  talk
}

// news is the part of it that a picture shows as it is.
type news struct {
	consoles     []Console
	mine, others []ds.Seat
	figures      notice.Figures
	paused       notice.Paused
	off          uint32 // bits of our own seats that are off, and can be switched on
}

func (n *news) power(p notice.Power) {
	switch bit := uint32(1) << p.Seat; {
	case p.Mine && p.Off:
		n.off |= bit
	case p.Mine:
		n.off &^= bit
	}
}

// remark is a short message of ours.
type remark struct {
	text  string
	first first
}

// New makes a view whose pictures are textures of store. wake makes the main thread
// build and show the next picture; any goroutine calls it, and it returns at once
// (window.Window.Wake).
func New(store *draw.Store, hand Hand, wake func(), p Preferences) *View {
	v := &View{store: store, hand: hand, wake: wake, clock: time.Now, prefs: p, keyLabel: func(name string) string { return name }}
	v.setEven()
	hand.Turn(p.turn(), p.TurnCross)
	return v
}

// SetClock lets a clock say when something was said, before Begin.
func (v *View) SetClock(now func() time.Time) { v.clock = now }

// setEven lets as many pictures wait as may be held back.
func (v *View) setEven() {
	for i := range v.feeds {
		v.feeds[i].SetRoom(v.prefs.Even)
		v.evens[i].most = int64(v.prefs.Even)
	}
}

// Preferences returns how the view looks: hotkeys change it.
func (v *View) Preferences() Preferences { return v.prefs }

// Begin prepares for a game of some consoles, of which mine are this machine's, in the
// order of its devices. Any goroutine.
func (v *View) Begin(consoles []Console, mine []ds.Seat) {
	v.told.mu.Lock()
	v.off.Store(0)
	v.told.news, v.told.begun = news{}, first{}
	v.told.talk.begin()
	v.told.mu.Unlock()
	v.Change(consoles, mine)
}

// Change takes other consoles in the same game: somebody came into it, or left. Any
// goroutine.
func (v *View) Change(consoles []Console, mine []ds.Seat) {
	v.told.mu.Lock()
	defer v.told.mu.Unlock()
	wrong := func(seat ds.Seat) bool { return seat < 0 || seat >= ds.MaxSeats }
	n := &v.told.news
	n.mine, n.others = slices.DeleteFunc(slices.Clone(mine), wrong), nil
	n.consoles = slices.DeleteFunc(slices.Clone(consoles), func(c Console) bool { return wrong(c.Seat) })
	for _, c := range n.consoles {
		if !slices.Contains(mine, c.Seat) {
			n.others = append(n.others, c.Seat)
		}
	}
	v.leads.Store(leads(n.mine, n.others))
	v.wake()
}

// leads returns the seats whose frames make the next picture: our own, so that the player
// sees at once what a key does; a spectator has none, so one of all.
func leads(mine, others []ds.Seat) (bits uint32) {
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
func (v *View) Show(seat ds.Seat, frame emucore.Frame) {
	if seat < 0 || seat >= ds.MaxSeats {
		return
	}
	changed := v.noteOff(seat, frame.Off)
	if v.feeds[seat].Put(frame) || changed {
		v.news.Store(true)
	}
	if v.leads.Load()>>seat&1 != 0 && (v.news.Swap(false) || v.held.Load()) {
		v.wake()
	}
}

// noteOff notes whether a console is off, and reports whether that is news. It is called on the console's goroutine.
func (v *View) noteOff(seat ds.Seat, off bool) (changed bool) {
	bit := uint32(1) << seat
	if off {
		return v.off.Or(bit)&bit == 0
	}
	return v.off.And(^bit)&bit != 0
}

// Notice takes what the session tells, and ignores what the view does not show.
// Any goroutine.
func (v *View) Notice(n notice.Notice) {
	v.told.mu.Lock()
	defer v.told.mu.Unlock()
	switch n := n.(type) {
	case notice.Figures:
		n.Waiting, n.OnAir = slices.Clone(n.Waiting), slices.Clone(n.OnAir)
		v.told.news.figures, v.told.came = n, first{}
	case notice.Message:
		v.told.talk.add(n, v.clock())
	case notice.JoinFailed:
		v.told.talk.add(notice.Message{Text: n.Words}, v.clock())
	case notice.Paused:
		v.told.news.paused = n
	case notice.Power:
		v.told.news.power(n)
		if !n.Mine {
			v.told.talk.add(notice.Message{Text: n.Words()}, v.clock())
		}
	default:
		return
	}
	v.wake()
}

// Chatting reports whether the chat is open, with all that was said last.
func (v *View) Chatting() bool { return v.chat.open }

// Say shows a short notice for some seconds, such as where a screenshot is.
func (v *View) Say(text string) {
	v.notice = remark{text: text}
	v.wake()
}

// moment is the news that one picture shows.
type moment struct {
	news
	since time.Duration // the figures came
	begun time.Duration // the game began
	lines []said
	wake  time.Duration
}

// look copies the news from other goroutines.
func (v *View) look(now time.Duration) (m moment) {
	v.told.mu.Lock()
	defer v.told.mu.Unlock()
	m = moment{news: v.told.news, since: v.told.came.shown(now), begun: v.told.begun.shown(now)}
	m.lines, m.wake = v.told.talk.show(now, v.chat.open)
	return m
}
