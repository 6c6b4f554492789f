package start

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Join is the form of a room that the player joins or watches.
type Join struct {
	screen.Base
	screen.Search
	Form    room.JoinForm
	written string      // the address that the player gave, kept while a room of the list is chosen
	Rooms   []lan.Found // on the local network
	NoRooms string      // why they cannot be found by themselves; "" when they can

	session   *room.Session
	local     *room.LocalPlayers
	viewer    *viewer.Screen
	games     *Games
	passwords map[string]string // that were given for rooms since the start, by whole address
	password  screen.Naming     // the box that asks for one
	asked     func(password string)
	wrong     bool // the one that was given last
	offered   bool // a room of the list was chosen for the player already
	left      bool // for a room: who comes back has the keyboard where it was
}

// NewJoin makes the screen.
func NewJoin(s *room.Session, local *room.LocalPlayers, view *viewer.Screen) *Join {
	return &Join{Base: screen.Base{Shared: s.Shared, ID: screen.Join}, session: s, local: local, viewer: view, passwords: map[string]string{}, password: screen.Naming{Secret: true}}
}

// Open implements screen.Screen.
func (v *Join) Open() {
	if v.NeedCore() {
		return
	}
	v.Form, v.written, v.offered, v.left = room.JoinForm{}, "", false, false
	v.password.Stop()
	v.Reset()
	v.Base.Open()
}

// ChooseRoom takes a room of the list into the form.
func (v *Join) ChooseRoom(f lan.Found) {
	written := v.written
	v.choose(f.Addr.String())
	v.Form.Room, v.written = &f, written
}

// choose takes an address into the form, with the password that was given for it before.
func (v *Join) choose(address string) {
	v.Form.Address, v.Form.Room, v.Form.Password = address, nil, v.passwords[launch.Address(address)]
	v.written = address
}

// Paste joins by an invitation that the player pasted, with whatever stands around it. It
// says so if there is none.
func (v *Join) Paste(text string) {
	invitation, found, err := invite.Find(text)
	code, coded, mistyped := invite.FindCode(text)
	switch {
	case !found && coded && mistyped == nil:
		v.enterBy(code.String())
	case !found && coded:
		v.SayOf("paste", screen.Sentence(mistyped.Error()))
	case text == "": // SDL gives the same for a program that was too slow to hand it over, and empties the clipboard then
		v.SayOf("paste", "There is no copied text here. Copy the invitation once more.")
	case err == nil && !found:
		v.SayOf("paste", "The copied text contains no invitation. Invitations begin with "+invite.Prefix+" or https://.")
	case err == nil && invitation.Answer:
		v.SayOf("paste", screen.Sentence(invite.ErrAnswer.Error()))
	case err != nil:
		v.SayOf("paste", screen.Sentence(err.Error()))
	default:
		v.enterBy(invitation.Text())
	}
}

// Take joins by what the player typed: an invitation or a code with other text around it, or an address.
func (v *Join) Take(text string) {
	_, invited, _ := invite.Find(text)
	if _, coded, _ := invite.FindCode(text); invited || coded {
		v.Paste(text)
		return
	}
	v.enterBy(text)
}

// enterBy joins by an invitation, a code or an address.
func (v *Join) enterBy(address string) {
	if v.NeedCore() {
		return
	}
	v.Go(screen.Join)
	v.choose(address)
	v.EnterRoom()
}

// EnterRoom joins the room of the form.
func (v *Join) EnterRoom() {
	if !v.mayPlay() {
		v.Say(v.foot())
		return
	}
	form, ok := v.chosenRoom()
	if !ok {
		return
	}
	called := ""
	if form.Room != nil {
		called = form.Room.Room
	}
	v.session.Enter(room.Room{Address: form.Address, Typed: v.typed(), Called: called, Game: form.OwnGame}, room.OpenSession{Join: &form, Game: form.OwnGame, LocalPlayers: v.local.Named()}, v.EnterRoom)
	edit := widgets.Button{Text: "Another room", Name: "edit", Do: v.again}
	if v.typed() != "" {
		edit.Text = "Change the address"
	}
	v.session.Edit(edit)
	v.session.OrElse(func(err error) bool {
		if !notice.AsksPassword(err) {
			return false
		}
		v.again()
		v.askPassword(form, v.EnterRoom)
		return true
	})
}

// AskToWatch asks for the password of a room that is to be watched, and watches it then.
func (v *Join) AskToWatch(form room.JoinForm) {
	if v.Current != screen.Join {
		v.again()
	}
	v.askPassword(form, v.Spectate)
}

// askPassword asks for the password of the form's room, which none, or a wrong one, was given for. It goes on
// with enter.
func (v *Join) askPassword(form room.JoinForm, enter func()) {
	if launch.Address(v.Form.Address) != form.Address {
		v.choose(form.Address)
	}
	delete(v.passwords, form.Address)
	v.Form.Password, v.wrong = "", form.Password != ""
	v.password.Ask("")
	v.asked = func(password string) {
		v.Form.Password = password
		enter()
	}
}

// typed is the address that the player typed; "" for a room of the list.
func (v *Join) typed() string {
	if v.Form.Room != nil {
		return ""
	}
	typed := strings.TrimSpace(v.Form.Address)
	_, invited, _ := invite.Find(typed)
	if _, coded, _ := invite.FindCode(typed); coded || invited {
		return "" // an invitation is good for one room only
	}
	return typed
}

// chosenRoom returns the form with the whole address. It returns false without an address or
// a core, and tells the player.
func (v *Join) chosenRoom() (room.JoinForm, bool) {
	form := v.Form
	if form.Address = launch.Address(form.Address); form.Address == "" {
		v.Trouble = &screen.Trouble{Title: "Which room?", Words: "Choose a room from the list, or type the address your friend gave you."}
		return form, false
	}
	if v.NeedCore() {
		return form, false
	}
	v.passwords[form.Address] = form.Password
	return form, true
}

// again goes back to the form: the address or the password may be wrong.
func (v *Join) again() {
	v.GoHome()
	v.GoTo(screen.Join)
}

// MayWatch reports whether the room of the form takes spectators: a room of the list says
// so, any other may be tried.
func (v *Join) MayWatch() bool { return v.Form.Room == nil || v.Form.Room.Watch }

// mayPlay reports whether the room of the form has a place for the player now: a room of the list
// says so, any other may be tried.
func (v *Join) mayPlay() bool { return v.Form.Room == nil || v.hasPlace(*v.Form.Room) }

// hasPlace reports whether one more player can come into a room of the list now. The room that this player was
// in last may be full with the player's own seat, which it keeps for a while after a crash: that is tried.
func (v *Join) hasPlace(f lan.Found) bool {
	return v.wasIn(f) || f.Players < f.Seats && (!f.Playing || f.Late)
}

// wasIn reports whether a room of the list is the one that this player was in last.
func (v *Join) wasIn(f lan.Found) bool {
	to := v.Memory.Room
	return to != nil && to.Name == f.Room && slices.Contains(to.Ways, f.Addr.String())
}

// Spectate watches the room of the form.
func (v *Join) Spectate() {
	v.left = true
	form, ok := v.chosenRoom()
	if !ok {
		return
	}
	title := form.Address
	if form.Room != nil {
		title = form.Room.Room
	}
	v.viewer.Spectate(form.Address, v.typed(), form.Password, title)
}

// Build implements screen.Screen.
func (v *Join) Build(u *widgets.UI) {
	f := &v.Form
	enter, gone := false, false
	v.SearchPage(u, "Join a room", 720, &v.Search, len(v.Rooms), func() {
		u.Scroll("form", 0, func() {
			v.offer()
			lit := v.lit()
			gone = f.Room != nil && lit < 0
			enter = v.list(u, lit)
			u.Heading("Or by invitation")
			enter = v.address(u, f.Room != nil) || enter
			v.recent(u)
			e := u.Field(widgets.Field{Name: "password", Hint: "Password, if the room has one", Secret: true, Max: 64}, &f.Password)
			enter = enter || e.Entered
			v.ownGame(u)
			v.local.Build(u)
		})
	}, func() {
		watch := widgets.Button{Text: "Watch", Name: "watch", Disabled: f.Address == "" || !v.MayWatch(), Tip: v.watchTip(), Do: v.Spectate}
		join := widgets.Button{Text: "Join", Name: "join", Kind: widgets.Primary, Disabled: f.Address == "" || !v.mayPlay(), Do: func() { enter = true }}
		if !v.mayPlay() && v.MayWatch() {
			watch.Kind, join.Kind = widgets.Primary, widgets.Normal
		}
		foot := v.foot()
		if gone {
			foot = "That room is no longer on your network."
		}
		screen.Foot(u, foot, watch, join)
	})
	title := "The room has a password"
	if v.wrong {
		title = "That was not the room's password"
	}
	v.password.Build(u, title, "Join", "password", v.asked)
	if enter {
		v.EnterRoom()
	}
}

// address draws the field for an invitation or an address, and tells whether the player is
// done with it. While a room of the list is chosen it has what the player gave before: that, and what is typed, takes
// the place of that room. A player with a controller has no keys to paste with.
func (v *Join) address(u *widgets.UI, listed bool) (entered bool) {
	f := &v.Form
	text := f.Address
	if listed {
		text = v.written
	}
	u.Bar(func() {
		e := u.Field(widgets.Field{Name: "address", Hint: "An invitation, a code or an address like 192.168.1.5", Icon: draw.IconLink, Max: room.MaxPasted, Secret: v.Config.Video.Streamer}, &text)
		if entered = e.Entered && text != ""; e.Changed || entered && listed {
			f.Address, f.Room, v.written = text, nil, text
		}
	}, widgets.Button{Text: "Paste", Name: "paste", Tip: "Join by the invitation that you copied", Do: func() { v.Paste(u.Clipboard()) }})
	return entered
}

// offer chooses the first room that comes, once, unless the player is about something else: where a friend's room is the
// only one, as it mostly is, nothing is left to choose. One that comes later never takes its place.
func (v *Join) offer() {
	if v.offered || len(v.Rooms) == 0 {
		return
	}
	v.offered = true
	if f := &v.Form; f.Address == "" && f.Room == nil {
		given := f.Password
		v.ChooseRoom(v.Rooms[0])
		f.Password = cmp.Or(given, f.Password)
	}
}

// list draws the rooms of the local network, and tells whether the player joins one. Its
// height depends on the window alone: rooms come and go while the mouse is on its way.
func (v *Join) list(u *widgets.UI, lit int) (enter bool) {
	const low, rest = 116, 330 // two rooms, and what is to be seen below
	high := max(u.Area().H-rest, low)
	u.Heading("On your network")
	empty := cmp.Or(v.NoRooms, "No room is open on your network. New rooms appear here.")
	p := v.Draw(u, v.Look(u, widgets.List{
		Name: "rooms", Count: len(v.Rooms), Height: high, Empty: empty, Blank: draw.IconHome, Item: v.item,
		Focus: !v.left && (v.Form.Room != nil || v.Form.Address == ""),
	}), &lit)
	if (p.Changed || p.Activated) && lit >= 0 && lit < len(v.Rooms) {
		v.ChooseRoom(v.Rooms[lit])
	}
	if p.Activated && !v.mayPlay() && v.MayWatch() && u.Input().Clicks == 0 {
		v.Spectate() // Enter does as the filled button; two clicks mean to join, and are told why that cannot be
		return false
	}
	return p.Activated
}

// lit returns the place of the form's room in the list, -1 for none, and has the form know
// what is new of that room. A room that another host has taken over is elsewhere, under the same name: the choice goes
// along with it, unless there are several such.
func (v *Join) lit() int {
	chosen := v.Form.Room
	if chosen == nil {
		return -1
	}
	i := slices.IndexFunc(v.Rooms, func(f lan.Found) bool { return f.Addr == chosen.Addr })
	if i >= 0 {
		v.Form.Room = &v.Rooms[i]
		return i
	}
	for j, f := range v.Rooms {
		switch {
		case f.Room != chosen.Room || f.ROM != chosen.ROM:
		case i >= 0:
			return -1
		default:
			i = j
		}
	}
	if i >= 0 {
		given := v.Form.Password
		v.ChooseRoom(v.Rooms[i])
		v.Form.Password = cmp.Or(given, v.Form.Password)
	}
	return i
}

func (v *Join) foot() string {
	r := v.Form.Room
	switch {
	case r == nil:
	case v.wasIn(*r) && (r.Players >= r.Seats || r.Playing):
		return "You were there. Your seat may still be kept for you."
	case r.Playing && !r.Late && r.Watch:
		return "A game is running there. Until it ends you can only watch."
	case r.Playing && !r.Late:
		return "A game is running there, and nobody can join until it ends."
	case r.Players >= r.Seats && r.Watch:
		return "All seats are taken, but you can watch."
	case r.Players >= r.Seats:
		return "All seats are taken."
	case r.Password && v.Form.Password == "":
		return "The room needs a password."
	case r.Playing:
		return "A game is running there. You can join it."
	}
	return "You need the game too, in one of your ROM folders."
}

// watchTip explains watching, or says why the room does not allow it.
func (v *Join) watchTip() string {
	if !v.MayWatch() {
		return "That room has no spectators, or is full of them."
	}
	return "See every console of the room, a little later, without playing"
}

// playersWords says how full a room is.
func playersWords(f lan.Found) string { return fmt.Sprintf("%d of %d players", f.Players, f.Seats) }

// item draws a room of the local network.
func (v *Join) item(i int) widgets.Item {
	f := v.Rooms[i]
	item := widgets.Item{
		Title: f.Room, Icon: draw.IconHome,
		Sub:   fmt.Sprintf("%s · %s · %s", f.Game, f.Host, f.Core),
		Right: playersWords(f),
	}
	switch {
	case f.Playing:
		item.Badge, item.Kind, item.Faint = "playing", widgets.Warning, !f.Watch && !v.hasPlace(f)
	case f.Players >= f.Seats:
		item.Badge, item.Kind, item.Faint = "full", widgets.Warning, !f.Watch && !v.hasPlace(f)
	case !v.Games.MayHave(f.ROM[:], f.Game):
		item.Badge, item.Kind = "you do not have this game", widgets.Warning
	case f.Password:
		item.Badge = "password"
	}
	return item
}

// recent offers the addresses of the last rooms.
func (v *Join) recent(u *widgets.UI) {
	list := v.Memory.Addresses
	if len(list) == 0 {
		return
	}
	list = list[:min(len(list), 3)]
	u.Tight(func() {
		u.Small("Recent:")
		u.Flow(func() {
			for _, addr := range list {
				u.Button(widgets.Button{Text: addr, Name: "recent " + addr, Kind: widgets.Quiet, Do: func() { v.choose(addr) }})
			}
		})
	})
}

// ownGame lets a player bring another game than the game host's.
func (v *Join) ownGame(u *widgets.UI) {
	if g := v.Form.OwnGame; g != nil {
		u.Bar(func() { u.Label("Your game: " + g.Title) },
			widgets.Button{Text: "Play the game host's", Name: "same", Kind: widgets.Quiet, Do: func() { v.Form.OwnGame = nil }})
		return
	}
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
		u.Button(widgets.Button{
			Text: "Play a different game", Name: "other", Kind: widgets.Quiet, Tip: "To trade between two editions, for example. The game host must have it too.",
			Do: v.games.PickOwn,
		})
		u.Small("Otherwise you play the game host's game.")
	})
}

// OwnKeys implements screen.Keyed.
func (v *Join) OwnKeys() []screen.KeyRow { return screen.SearchKeys() }
