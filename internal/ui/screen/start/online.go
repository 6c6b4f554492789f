package start

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
)

// Seek is what is looked for at the relays of the settings: friends, and open rooms if Rooms is set; or nothing.
type Seek struct{ On, Rooms bool }

// Online shows open rooms and friends that the relays know of.
type Online struct {
	screen.Base
	screen.Search
	Chosen relay.Locator // room of the list

	view  online.View
	why   string                          // why nothing can be looked for, "" if it can
	since time.Time                       // it is looked for
	pings map[relay.Locator]time.Duration // by which rooms stand in the list
	games *Games

	engine   Engine
	password screen.Naming
	asked    entrance      // whose password is asked for
	game     *library.Game // of the quick match; nil: that which was played last
	matching *library.Game // of the quick match that asks rooms how far they are
}

// entrance is the way into an open room, or a friend's.
type entrance struct{ name, invitation string }

// NewOnline makes the screen.
func NewOnline(games *Games, engine Engine) *Online {
	v := &Online{Base: screen.Base{Shared: games.Shared, ID: screen.Online}, games: games, engine: engine, password: screen.Naming{Secret: true}}
	v.Reset()
	return v
}

// Open implements screen.Screen.
func (v *Online) Open() {
	if !v.NeedCore() {
		v.Search.Reset()
		v.Base.Open()
	}
}

// Reset forgets what was seen: it begins anew, or is over.
func (v *Online) Reset() {
	v.view, v.why, v.since = online.View{}, "", v.Now
	v.pings, v.Chosen = map[relay.Locator]time.Duration{}, relay.Locator{}
	v.password.Stop()
}

// Failed takes why nothing can be looked for.
func (v *Online) Failed(err error) { v.why = screen.Sentence(err.Error()) }

// See takes what the relays know now.
func (v *Online) See(now online.View) {
	pings := map[relay.Locator]time.Duration{}
	for _, r := range now.Rooms {
		pings[r.Key] = steady(v.pings[r.Key], r.Ping)
	}
	now.Rooms = slices.Clone(now.Rooms)
	slices.SortStableFunc(now.Rooms, func(a, b online.Room) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(pings[a.Key], pings[b.Key]), slices.Compare(a.Key[:], b.Key[:]))
	})
	v.view, v.pings = now, pings
}

// steady is the ping by which a room stands in the list: rooms do not change places for each
// millisecond while the mouse is on its way.
func steady(before, now time.Duration) time.Duration {
	if d := (now - before).Abs(); before > 0 && now > 0 && d < 10*time.Millisecond+before/4 {
		return before
	}
	return now
}

// Names are the names of the rooms as they are listed, and which is chosen; -1 for none.
func (v *Online) Names() (list []string, chosen int) {
	for _, r := range v.view.Rooms {
		list = append(list, r.Room)
	}
	chosen, _ = v.room()
	return list, chosen
}

// rank has the rooms first that can be joined.
func rank(r online.Room) int {
	if r.Why == "" && !r.Mine {
		return 0
	}
	return 1
}

// room is the chosen one of the list, and its place; -1 and nil for none.
func (v *Online) room() (int, *online.Room) {
	i := slices.IndexFunc(v.view.Rooms, func(r online.Room) bool { return r.Key == v.Chosen })
	return i, screen.At(v.view.Rooms, i)
}

// JoinRoom joins the chosen room, or says why that cannot be. It asks for a password first where
// there is one.
func (v *Online) JoinRoom() {
	switch _, r := v.room(); {
	case r == nil:
		v.Say("Choose a room from the list first.")
	case rank(*r) > 0:
		v.Say(v.foot(r))
	case r.Locked:
		v.askPassword(entrance{r.Room, r.Invite})
	default:
		v.enter(entrance{r.Room, r.Invite}, "")
	}
}

// foot says of the chosen room whether it can be joined.
func (v *Online) foot(r *online.Room) string {
	switch {
	case r == nil && v.Chosen != relay.Locator{}:
		return "This room is no longer open."
	case r == nil:
		return ""
	case r.Mine:
		return "This is your own room."
	case r.Why != "":
		return "You cannot join: " + r.Why + "."
	case r.Playing:
		return "A game is running there. You can join it."
	}
	return ""
}

// askPassword asks for the password of a room, to enter it then.
func (v *Online) askPassword(of entrance) {
	v.asked = of
	v.password.Ask("")
}

// enter joins a room by its invitation. Another try begins here. A room that asks for a password all the same, as
// a friend's may do, has it asked for.
func (v *Online) enter(to entrance, password string) {
	if v.NeedCore() {
		return
	}
	form := room.JoinForm{Address: to.invitation, Password: password}
	v.session().Enter(room.Room{Address: to.invitation, Called: to.name}, room.OpenSession{Join: &form, LocalPlayers: v.local()}, v.again)
	v.session().OrElse(func(err error) bool {
		if !notice.AsksPassword(err) {
			return false
		}
		if v.again(); password != "" {
			v.Say(screen.Sentence(err.Error()))
		}
		v.askPassword(to)
		return true
	})
}

func (v *Online) session() *room.Session { return v.games.join.session }

// local are the further players at this machine.
func (v *Online) local() []string { return v.games.join.local.Named() }

func (v *Online) again() {
	v.GoHome()
	v.Open()
}

// Match joins the nearest open room that plays the game and lets the player in, or offers to open one.
func (v *Online) Match() {
	if g := v.matched(); g != nil {
		v.games.Need(*g, func(g library.Game) { v.matchWith(&g) })
	}
}

// matchWith is Match with a game whose contents are known.
func (v *Online) matchWith(g *library.Game) {
	rooms := online.Candidates(v.view.Rooms, g.ROM.SHA256, 1+len(v.local()))
	if len(rooms) == 0 {
		v.offer(g, "No open room plays "+g.Title+" now")
		return
	}
	v.matching, v.Wait = g, "Looking for the nearest room …"
	v.engine.AskRooms(rooms)
}

// Matched takes the rooms to try for a quick match that has asked them.
func (v *Online) Matched(rooms []online.Room) {
	g := v.matching
	if v.matching = nil; g == nil {
		return
	}
	if v.Wait = ""; len(rooms) == 0 {
		v.offer(g, "No open room that plays "+g.Title+" answers now")
		return
	}
	v.try(g, rooms, "")
}

// try joins the first of some rooms, and after it the next one, if it does not let the player in. before tells
// what became of those that were tried.
func (v *Online) try(g *library.Game, rooms []online.Room, before string) {
	now := rooms[0]
	form := room.JoinForm{Address: now.Invite}
	r := room.Room{Address: now.Invite, Called: now.Room, Matching: true}
	if before != "" {
		r.Lines = []room.Line{{Text: before + " Trying " + now.Room + "."}}
	}
	v.session().Enter(r, room.OpenSession{Join: &form, LocalPlayers: v.local(), Hurry: true}, v.again)
	v.session().OrElse(func(err error) bool {
		if !launch.NextRoom(err) {
			return false
		}
		why := fmt.Sprintf("%s cannot be joined: %v.", now.Room, err)
		if len(rooms) > 1 {
			v.try(g, rooms[1:], why)
			return true
		}
		v.again()
		v.Say(why)
		v.offer(g, "No other open room plays "+g.Title+" now")
		return true
	})
}

// offer offers to open a room.
func (v *Online) offer(g *library.Game, why string) {
	v.Question = &screen.Question{
		Words: why, Hint: "Open one that anyone can find, and wait for others to join.",
		Yes: "Open a room", No: "Cancel", Harmless: true, Do: func() { v.hostOpen(g) },
	}
}

// hostOpen shows the form of a room that everybody may find.
func (v *Online) hostOpen(g *library.Game) {
	v.games.Purpose = ForHost
	v.games.Pick(*g)
	v.games.host.Form.Open = true
}

// matched is the game of the quick match; nil if there is none.
func (v *Online) matched() *library.Game {
	list := v.Games.Games
	if v.game != nil {
		key := v.game.Key()
		for i := range list {
			if list[i].Key() == key || list[i].ROM.Path == v.game.ROM.Path {
				return &list[i]
			}
		}
	}
	return screen.At(list, v.games.last(list))
}

// patience is the time that the relays have to answer before it is said that they do not.
const patience = 4 * time.Second

// trouble says why no room can show, "" if it can. Those relays count that told of all rooms.
func (v *Online) trouble() string {
	held := ""
	for _, r := range v.view.Relays {
		switch {
		case r.Told:
			return ""
		case r.Held:
			held = r.Name
		}
	}
	switch {
	case len(v.Config.Net.Relays) == 0:
		return "A friend needs no relay: host a room, and send the invitation. Open rooms and friends are found through a relay, and your settings name none. Ask your friends for theirs, or run one: it is part of nettplay."
	case v.why != "":
		return v.why
	case v.Now.Sub(v.since) < patience:
		return ""
	case held != "":
		return fmt.Sprintf("The relay %s does not list open rooms: it may be an older version.", held)
	}
	return "No relay answers. You can test them in the settings; nettplay keeps trying."
}

// told reports whether a relay has told of all rooms.
func (v *Online) told() bool {
	return slices.ContainsFunc(v.view.Relays, func(r online.Relay) bool { return r.Told })
}
