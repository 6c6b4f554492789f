package widgets

// settles is the limit of times that a screen is built anew until its layout is as assumed.
const settles = 4

// Frame builds a picture out of what happened. It calls build once with the
// input, and up to four times more without: as long as the layout is not yet as
// assumed, and once after anything that may have changed the screen.
func (u *UI) Frame(in Input, build func(u *UI)) Output {
	if in.Scale <= 0 {
		in.Scale = 1
	}
	switch {
	case in.Nav != 0:
		u.focus.pad = true
	case in.Press.Key != 0 || in.Pressed != 0:
		u.focus.pad = false
	}
	in = u.board.hear(in)
	if in.Nav == NavForward {
		in.Nav = u.goForward()
	}
	u.age++
	u.first = true
	u.focus.enterForward(in.Press, in.Nav)
	u.inspection.Pressed = u.inspection.Pressed[:0]
	for range 1 + settles {
		u.begin(in)
		build(u)
		u.end()
		if !u.again && !(u.first && in.eventful()) && !u.anchor.hold() {
			break
		}
		u.first = false
		in = in.Lasting()
	}
	if u.again {
		u.out.Wake = 0
	}
	u.mouse.was, u.focus.roll = u.mouse.at, 0
	u.anchor.end(u.mouse.hot)
	u.forget()
	return u.out
}

func (u *UI) begin(in Input) {
	u.in = in
	u.mouse.at = in.Mouse.Mul(1 / in.Scale)
	u.list.Reset(in.Size, in.Scale)
	u.out = Output{List: u.list, Wake: -1}
	u.again, u.layers.backUsed, u.layers.opened = false, false, false
	u.layers.now, u.layers.nextTop, u.mouse.nextHot = 0, 0, 0
	u.inspection.begin()
	u.page = ""
	u.open.scopes = append(u.open.scopes[:0], 1)
	clear(u.open.counts)
	u.lastID = 0
	u.anchor.now, u.anchor.next = anchored{}, anchored{}
	u.focus.begin()
	u.board.built = false
	u.toasts.clear = u.toasts.clear[:0]
	u.tip.begin()
	if in.Pressed == LeftButton {
		u.mouse.pressAt, u.mouse.pull = u.mouse.at, 0
	}
	if in.Lost {
		u.mouse.active = 0
	}
	if !u.bare {
		u.list.Fill(u.list.Bounds(), u.theme.Back)
	}
	u.open.frames = append(u.open.frames[:0], column(u.list.Bounds()))
}

func (u *UI) end() {
	u.navigate()
	u.endBoard()
	u.endToasts()
	u.endTip()
	if u.in.Released == LeftButton || !u.in.Held.Has(LeftButton) {
		u.mouse.active = 0
	}
	if u.mouse.nextHot != u.mouse.hot {
		u.mouse.hot = u.mouse.nextHot
		u.again = true
	}
	if u.layers.nextTop != u.layers.top {
		u.layers.top = u.layers.nextTop
		u.again = true
	}
}
