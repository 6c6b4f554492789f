package relay

import (
	"bytes"
	"crypto/rand"
	"slices"
	"time"
)

const (
	browseEvery = 500 * time.Millisecond // between questions about open rooms
	browseMore  = 20 * time.Millisecond  // the same while there is more to be told at once
	seekEvery   = 5 * time.Second        // between two rounds of questions about friends
	seekNext    = 50 * time.Millisecond  // between the questions of a round
	putAgain    = 20                     // words about one entry without an answer, after which it is not urgent
	maxPuts     = 4                      // at once

	// MaxRooms is the greatest number of open rooms of each relay that a machine knows.
	MaxRooms = 2000
)

// wants are a machine's wishes of the index of its relays.
type wants struct {
	puts   map[slot]func(relay string, o Owner) []byte
	browse bool
	seek   []Locator
}

// indexState is the state of that at one relay.
type indexState struct {
	puts   map[slot]*putting
	asked  time.Time // the last time about open rooms
	tag    Locator   // of that question
	known  page      // without its rooms
	first  bool      // it has answered once
	rooms  map[Locator][]byte
	sought time.Time // the last time about friends
	turn   int       // number of the next friend to ask about
	words  map[Locator][]byte
}

// putting is one entry that a relay is to publish, or to withdraw if its body is nil.
type putting struct {
	body []byte
	done bool
	why  why // it did not, 0 if it did not say so
	said time.Time
	told int // times
}

// Put has all relays publish an entry, in the place of the one of the same kind and key, for as
// long as this machine holds its mailbox. body makes it for a relay and the owner of a mailbox there. It is called
// once for each relay, under the lock of the Client.
func (c *Client) Put(of Kind, key Locator, body func(relay string, o Owner) []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.stir()
	c.wants.puts[slot{of, key}] = body
	for _, a := range c.relays {
		delete(a.index.puts, slot{of, key})
	}
}

// Drop has all relays withdraw an entry.
func (c *Client) Drop(of Kind, key Locator) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.stir()
	at := slot{of, key}
	delete(c.wants.puts, at)
	for _, a := range c.relays {
		if a.index.puts[at] != nil {
			a.index.puts[at] = &putting{}
		}
	}
}

// Browse begins or ends to ask all relays for open rooms.
func (c *Client) Browse(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.stir()
	c.wants.browse = on
	for _, a := range c.relays {
		a.index.known, a.index.rooms, a.index.first = page{}, nil, false
	}
}

// Seek has all relays be asked again and again what friends let this machine know, MaxFriends
// at most.
func (c *Client) Seek(keys []Locator) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.stir()
	c.wants.seek = slices.Clone(keys[:min(len(keys), MaxFriends)])
	for _, a := range c.relays {
		a.index.words, a.index.turn, a.index.sought = nil, 0, time.Time{}
	}
}

// Standing is how it is with a relay that has an index.
type Standing struct {
	Name string
	Held bool // it knows this machine
	Told bool // it has told of all open rooms
	Kept bool // it publishes all that it should, and nothing else of ours
	RTT  time.Duration
	Why  string // why it does not publish what it should, "" for no reason given
}

// Catalog is a relay's word of its index. Nothing of it is checked.
type Catalog struct {
	Standing
	Rooms []Entry // open rooms, in no order
	Words []Entry // of friends, the same
}

// Catalogs returns those of all relays. Bodies are not to be changed.
func (c *Client) Catalogs() (list []Catalog) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.relays {
		k := Catalog{Standing: Standing{Name: a.name, RTT: a.rtt, Held: a.held, Told: a.index.first && !a.index.known.more, Kept: a.held}}
		if !a.held { // what it told may be long past
			list = append(list, k)
			continue
		}
		for key, body := range a.index.rooms {
			k.Rooms = append(k.Rooms, Entry{KindRoom, key, body})
		}
		for key, body := range a.index.words {
			k.Words = append(k.Words, Entry{KindFriend, key, body})
		}
		for at := range c.wants.puts {
			k.Kept = k.Kept && a.index.puts[at] != nil
		}
		var not why
		for _, p := range a.index.puts { // those that it is to withdraw, too
			k.Kept, not = k.Kept && p.done, max(not, p.why)
		}
		if not != 0 {
			k.Why = not.String()
		}
		list = append(list, k)
	}
	return list
}

// duePuts says what a relay is to publish: again and again until it confirms that, and seldom from then on.
func (c *Client) duePuts(a *account, d *due) {
	x := &a.index
	if x.puts == nil {
		x.puts = map[slot]*putting{}
	}
	for at, body := range c.wants.puts {
		if x.puts[at] == nil {
			x.puts[at] = &putting{body: body(a.name, c.owner(a.name))}
		}
	}
	said := 0
	for at, p := range x.puts {
		interval := claimFirst
		switch {
		case p.done:
			interval = tellAgain
		case p.why != 0 || p.told > putAgain:
			interval = claimAgain
		}
		switch {
		case said == maxPuts:
			d.within(claimFirst / 4)
		case d.again(&p.said, interval):
			said++
			p.told++
			d.say(message{kind: kindPut, mailbox: Mailbox(at.key), entries: []Entry{{at.kind, at.key, p.body}}})
		}
	}
}

// dueQuestions asks a relay about open rooms and friends.
func (c *Client) dueQuestions(a *account, d *due) {
	x := &a.index
	interval := browseEvery
	if x.known.more {
		interval = browseMore
	}
	if c.wants.browse && d.again(&x.asked, interval) {
		_, _ = rand.Read(x.tag[:])
		d.say(message{kind: kindBrowse, mailbox: Mailbox(x.tag), page: x.known})
	}
	interval = seekNext
	if x.turn == 0 {
		interval = seekEvery
	}
	if n := len(c.wants.seek); n > 0 && d.again(&x.sought, interval) {
		m := message{kind: kindSeek, mailbox: Mailbox{byte(x.turn)}}
		for _, key := range c.wants.seek[x.turn:min(n, x.turn+maxSeek)] {
			m.entries = append(m.entries, Entry{Kind: KindFriend, Key: key})
		}
		if x.turn += maxSeek; x.turn >= n {
			x.turn = 0
		}
		d.say(m)
		d.within(seekNext)
	}
}

// heardIndex takes what a relay says about its index, and tells whether it did.
func (c *Client) heardIndex(a *account, m message, now time.Time) bool {
	x := &a.index
	switch m.kind {
	case kindKept:
		e := m.entries[0]
		p := x.puts[e.slot()]
		if p == nil || !bytes.HasPrefix(p.body, e.Body) || (e.Body == nil) != (p.body == nil) {
			return true // about an older one
		}
		p.done, p.why = true, 0
		if p.body == nil {
			delete(x.puts, e.slot())
		}
	case kindRefused:
		for at, p := range x.puts {
			if at.key == Locator(m.mailbox) {
				p.done, p.why = false, m.why
				return true
			}
		}
		return false
	case kindPage:
		if c.wants.browse && x.tag == Locator(m.mailbox) && x.tag != (Locator{}) {
			a.rtt = now.Sub(x.asked)
			x.turnPage(m.page)
		}
	case kindSought:
		c.heardWords(x, int(m.mailbox[0]), m.entries)
	default:
		return false
	}
	return true
}

// turnPage takes what changed of the open rooms.
func (x *indexState) turnPage(p page) {
	if p.reset || x.rooms == nil {
		x.rooms = map[Locator][]byte{}
	}
	for _, e := range p.rooms {
		if e.Body == nil {
			delete(x.rooms, e.Key)
		} else if len(x.rooms) < MaxRooms || x.rooms[e.Key] != nil {
			x.rooms[e.Key] = bytes.Clone(e.Body)
		}
	}
	x.tag = Locator{} // it is answered
	p.rooms, p.reset = nil, false
	x.known, x.first = p, true
}

// heardWords takes what the friends from a turn on let know.
func (c *Client) heardWords(x *indexState, turn int, list []Entry) {
	if x.words == nil {
		x.words = map[Locator][]byte{}
	}
	n := len(c.wants.seek)
	for _, key := range c.wants.seek[min(turn, n):min(turn+maxSeek, n)] {
		delete(x.words, key)
		if i := slices.IndexFunc(list, func(e Entry) bool { return e.Key == key }); i >= 0 && list[i].Body != nil {
			x.words[key] = bytes.Clone(list[i].Body)
		}
	}
}
