package autodelay

import "github.com/nettplay/nettplay/internal/wire"

// Fields are the fields of a line in a message.
func (l *Line) Fields(c *wire.Coder) {
	wire.Number(c, "inputs", &l.Inputs, 0, MaxInputs)
	wire.Number(c, "late", &l.Late, 0, MaxInputs)
	wire.Number(c, "need", &l.Need, 0, MaxNeed)
	wire.Number(c, "recent need", &l.Recent, 0, MaxNeed)
	wire.Number(c, "newest need", &l.Newest, 0, MaxNeed)
	wire.Number(c, "middle need", &l.Middle, 0, MaxNeed)
	wire.Number(c, "spread of needs", &l.Spread, 0, MaxNeed)
}
