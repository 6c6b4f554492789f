package gameview

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// noticeShown is for how long a notice of ours is seen.
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
}

// Preferences are how the player wants the consoles.
type Preferences struct {
	Options
	Smooth  bool // pixels are interpolated, otherwise sharp
	Even    int  // frames of the others' consoles that may be held back, so that they come evenly
	Hotkeys Hotkeys
}

// PreferencesOf returns the preferences of the settings.
func PreferencesOf(c config.Config) Preferences {
	v := c.Video
	how := Arrangement{Layout: LayoutOf(v.Layout), Emphasis: EmphasisOf(v.Emphasis), Swap: v.Swap, Integer: v.Integer, Gap: v.Gap}
	return Preferences{Options: Options{Arrangement: how, Others: v.Others, HUD: v.HUD}, Smooth: v.Filter == "linear", Even: v.Even, Hotkeys: HotkeysOf(c)}
}

// Keep puts what hotkeys can change into settings.
func (p Preferences) Keep(c *config.Config) {
	c.Video.Layout, c.Video.Emphasis, c.Video.Swap = p.Layout.String(), p.Emphasis.String(), p.Swap
	c.Video.Others, c.Video.HUD = p.Others, p.HUD
}

// Console is a console of a game, and whose it is.
type Console struct {
	Seat ds.Seat
	Name string
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
	feeds [ds.MaxSeats]Feed
	leads atomic.Uint32 // bits of the seats whose frames make the next picture
	news  atomic.Bool   // there is something to see that no picture was asked for
	held  atomic.Bool   // pictures wait for the next frame of our own
	told  told

	// The following fields belong to the main thread.
	prefs    Preferences
	sharp    sharpener
	plan     Plan
	evens    [ds.MaxSeats]even
	pen      Pen
	textures [ds.MaxSeats]screenTextures
	chat     chat
	notice   remark
	fast     bool
	plates   []draw.Rect // behind the words that lie over consoles, of this picture
	events   []Event
	due      due
}

// told is the news from other goroutines.
type told struct {
	mu       sync.Mutex // guards what follows
	consoles []Console
	mine     []ds.Seat
	others   []ds.Seat
	figures  notice.Figures
	figured  bool          // figures are new
	figureAt time.Duration // when they came
	begins   bool          // the game is new
	begunAt  time.Duration // when its first picture was built
	paused   notice.Paused
	talk     talk
}

// chat is the line that the player writes.
type chat struct {
	open  bool
	next  bool // open from the next picture on
	draft string
}

// remark is a short message of ours.
type remark struct {
	text string
	at   time.Duration // when it was first shown, if shown
	seen bool
}

// New makes a view whose pictures are textures of store. wake makes the main thread
// build and show the next picture; any goroutine calls it, and it returns at once
// (window.Window.Wake).
func New(store *draw.Store, hand Hand, wake func(), p Preferences) *View {
	v := &View{store: store, hand: hand, wake: wake, prefs: p}
	v.setEven()
	return v
}

// SetPreferences changes how the view looks.
func (v *View) SetPreferences(p Preferences) {
	if p.Smooth != v.prefs.Smooth {
		v.drop()
	}
	v.prefs = p
	v.setEven()
}

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
	v.told.figures, v.told.figured, v.told.paused = notice.Figures{}, false, notice.Paused{}
	v.told.begins = true
	v.told.talk.begin()
	v.told.mu.Unlock()
	v.Change(consoles, mine)
}

// Change takes other consoles in the same game: somebody came into it, or left. Any
// goroutine.
func (v *View) Change(consoles []Console, mine []ds.Seat) {
	v.told.mu.Lock()
	defer v.told.mu.Unlock()
	valid := func(n ds.Seat) bool { return n >= 0 && n < ds.MaxSeats }
	v.told.consoles, v.told.mine, v.told.others = nil, nil, nil
	for _, c := range consoles {
		switch {
		case !valid(c.Seat):
			continue
		case !slices.Contains(mine, c.Seat):
			v.told.others = append(v.told.others, c.Seat)
		}
		v.told.consoles = append(v.told.consoles, c)
	}
	for _, n := range mine {
		if valid(n) {
			v.told.mine = append(v.told.mine, n)
		}
	}
	v.leads.Store(leads(v.told.mine, v.told.others))
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
	if v.feeds[seat].Put(frame) {
		v.news.Store(true)
	}
	if v.leads.Load()>>seat&1 != 0 && (v.news.Swap(false) || v.held.Load()) {
		v.wake()
	}
}

// Notice takes what the session tells, and ignores what the view does not show.
// Any goroutine.
func (v *View) Notice(n notice.Notice) {
	v.told.mu.Lock()
	defer v.told.mu.Unlock()
	switch n := n.(type) {
	case notice.Figures:
		v.told.figures, v.told.figured = n, true
		v.told.figures.Waiting = slices.Clone(n.Waiting)
		v.told.figures.OnAir = slices.Clone(n.OnAir)
	case notice.Message:
		v.told.talk.add(n)
	case notice.Paused:
		v.told.paused = n
	default:
		return
	}
	v.wake()
}

// Say shows a short notice for some seconds, such as where a screenshot is.
func (v *View) Say(text string) {
	v.notice = remark{text: text}
	v.wake()
}

// Close forgets the pictures and lets go of everything. The View can begin again.
func (v *View) Close() {
	v.drop()
	v.hand.Release()
	v.hand.Mute(false)
	v.chat, v.fast = chat{}, false
	for i := range v.feeds {
		v.feeds[i].Take(math.MaxInt64)
		v.evens[i] = even{most: int64(v.prefs.Even)}
	}
}

// moment is the news that one picture shows.
type moment struct {
	consoles     []Console
	mine, others []ds.Seat
	figures      notice.Figures
	since        time.Duration // the figures came
	begun        time.Duration // the game began
	paused       notice.Paused
	lines        []notice.Message
	wake         time.Duration
}

// look copies the news from other goroutines.
func (v *View) look(now time.Duration) (m moment) {
	v.told.mu.Lock()
	defer v.told.mu.Unlock()
	if v.told.figured {
		v.told.figured, v.told.figureAt = false, now
	}
	if v.told.begins {
		v.told.begins, v.told.begunAt = false, now
	}
	m = moment{
		begun:    now - v.told.begunAt,
		consoles: v.told.consoles, mine: v.told.mine, others: v.told.others, figures: v.told.figures,
		since: now - v.told.figureAt, paused: v.told.paused,
	}
	m.lines, m.wake = v.told.talk.show(now, v.chat.open)
	return m
}

// Build builds the picture and returns what the player wants that the view cannot do
// itself. It takes the whole window.
func (v *View) Build(u *widgets.UI) []Event {
	v.events = v.events[:0]
	if !u.Settling() {
		v.setChat(v.chat.next)
	}
	in, list := u.Input(), u.Canvas()
	m := v.look(in.Now)
	v.plan = Arrange(Area{
		Width: list.Size().X, Height: list.Size().Y, Scale: float64(list.Scale()),
		Line: int(list.LineHeight(widgets.StyleSmall)*list.Scale()) + 2,
	}, m.mine, m.others, v.prefs.Options)
	if !u.Settling() {
		v.refresh()
		v.sharpen(&v.plan)
		v.listen(in, m, u.Covered())
	}
	v.paint(list, m, in.Now)
	for _, c := range slices.Concat(v.plan.Mine, v.plan.Others) {
		u.KeepClear(points(list, c.Screens.Bounds()))
	}
	if v.chat.open {
		v.buildChat(u)
	}
	if soonest := v.soonest(m, in.Now); soonest >= 0 {
		u.Wake(soonest)
	}
	return v.events
}

// soonest is when something that is shown goes or counts on.
func (v *View) soonest(m moment, now time.Duration) time.Duration {
	wake := m.wake
	earlier := func(d time.Duration) {
		if d > 0 && (wake < 0 || d < wake) {
			wake = d
		}
	}
	if v.notice.text != "" {
		earlier(v.notice.at + noticeShown - now)
	}
	if len(m.figures.Waiting) > 0 {
		earlier(100 * time.Millisecond)
	}
	earlier(blankFor - m.begun)
	return wake
}

// setChat opens the chat over the consoles, or closes it.
func (v *View) setChat(open bool) {
	if open == v.chat.open {
		return
	}
	v.chat.open = open
	v.hand.Mute(open)
	if v.fast {
		v.fast = false
		v.events = append(v.events, Event{Do: FastForward})
	}
	v.pen.Lift()
}

// openChat opens or closes the chat with the next picture: the key that did it is not for
// that.
func (v *View) openChat(open bool) {
	v.chat.next = open
	v.wake()
}
