package host

// maxFirst is how many decisions a game may begin with.
const maxFirst = 64

type prepareMsg struct {
	Round    uint32
	Settings Settings
	Seats    []SeatPlan
}

func (*prepareMsg) kind() kind { return kindPrepare }

func (m *prepareMsg) fields(c *coder) {
	roundField(c, &m.Round)
	c.within("settings", m.Settings.fields)
	seatsField(c, &m.Seats)
}

func seatsField(c *coder, v *[]SeatPlan) {
	list(c, "seats", v, MaxSeats, func(c *coder, s *SeatPlan) { s.fields(c) })
}

func (s *SeatPlan) fields(c *coder) {
	seatField(c, &s.Seat)
	machineField(c, &s.Machine)
	c.text("nickname", &s.Nickname, maxName)
	c.within("firmware", func(c *coder) { firmwareFields(c, &s.Firmware) })
	c.within("game", s.ROM.fields)
}

type installedMsg struct {
	Round  uint32
	Hashes []SeatHash
}

func (*installedMsg) kind() kind { return kindInstalled }

func (m *installedMsg) fields(c *coder) {
	roundField(c, &m.Round)
	hashesField(c, &m.Hashes)
}

// hashesField is a list of consoles' hashes, by rising seat.
func hashesField(c *coder, v *[]SeatHash) { seatHashes(c, v, c.hash) }

func seatHashes(c *coder, v *[]SeatHash, hash func(field string, v *uint64)) {
	before := -1
	list(c, "hashes", v, MaxSeats, func(c *coder, h *SeatHash) {
		seatField(c, &h.Seat)
		if c.err == nil && h.Seat <= before {
			c.fail("seat", "%d after %d", h.Seat, before)
		}
		before = h.Seat
		hash("ram", &h.Hash.RAM)
		hash("video", &h.Hash.Video)
		hash("sram", &h.Hash.SRAM)
		hash("air", &h.Air)
	})
}

type failedMsg struct {
	Round uint32
	Why   string
}

func (*failedMsg) kind() kind { return kindFailed }

func (m *failedMsg) fields(c *coder) {
	roundField(c, &m.Round)
	c.text("why", &m.Why, maxSentence)
}

type startFailedMsg struct{ StartFailed }

func (*startFailedMsg) kind() kind { return kindStartFailed }

func (m *startFailedMsg) fields(c *coder) {
	roundField(c, &m.Round)
	c.text("why", &m.Why, maxSentence)
	list(c, "machines", &m.Machines, MaxMachines, machineField)
}

type beginMsg struct {
	Round     uint32
	Horizon   int64
	Decisions []Decision
}

func (*beginMsg) kind() kind { return kindBegin }

func (m *beginMsg) fields(c *coder) {
	roundField(c, &m.Round)
	frameField(c, "horizon", &m.Horizon)
	list(c, "decisions", &m.Decisions, maxFirst, decisionFields)
}

type decisionMsg struct {
	Round    uint32
	Number   int // how many decisions stand before it
	Decision Decision
}

func (*decisionMsg) kind() kind { return kindDecision }

func (m *decisionMsg) fields(c *coder) {
	roundField(c, &m.Round)
	number(c, "number", &m.Number, 0, maxDecisions-1)
	decisionFields(c, &m.Decision)
}

func decisionFields(c *coder, d *Decision) {
	number(c, "decision", &d.Kind, 1, 255)
	if c.err == nil && !d.Kind.known() {
		c.fail("decision", "kind %d is not known to this version of nettplay, which so cannot stay like the others", uint8(d.Kind))
	}
	frameField(c, "frame", &d.Frame)
	switch d.Kind {
	case SetDelay:
		number(c, "delay", &d.Delay, 0, MaxDelay)
	case Resync:
		machineField(c, &d.Machine)
		c.bool("alike", &d.Alike)
	case Leave, Idle:
		seatField(c, &d.Seat)
		frameField(c, "input end", &d.InputEnd)
	case Enter:
		c.within("plan", d.Plan.fields)
	}
	c.text("why", &d.Why, maxReason)
}

type pauseMsg struct {
	Round uint32
	Pause bool
}

func (*pauseMsg) kind() kind { return kindPause }

func (m *pauseMsg) fields(c *coder) {
	roundField(c, &m.Round)
	c.bool("pause", &m.Pause)
}

type brokenMsg struct {
	Round uint32
	Why   string
}

func (*brokenMsg) kind() kind { return kindBroken }

func (m *brokenMsg) fields(c *coder) {
	roundField(c, &m.Round)
	c.text("why", &m.Why, maxSentence)
}

type repairedMsg struct {
	Round  uint32
	Number int // which resync of the game
	Hashes []SeatHash
}

func (*repairedMsg) kind() kind { return kindRepaired }

func (m *repairedMsg) fields(c *coder) {
	roundField(c, &m.Round)
	number(c, "number", &m.Number, 1, maxDecisions)
	hashesField(c, &m.Hashes)
}

type keepMsg struct {
	Round  uint32
	Frame  int64
	Commit bool
}

func (*keepMsg) kind() kind { return kindKeep }

func (m *keepMsg) fields(c *coder) {
	roundField(c, &m.Round)
	frameField(c, "frame", &m.Frame)
	c.bool("commit", &m.Commit)
}

type keptMsg struct {
	Round     uint32
	Frame     int64
	Committed bool   // it is current; else it is written beside the current one
	Why       string // it could not be; "" when it was
}

func (*keptMsg) kind() kind { return kindKept }

func (m *keptMsg) fields(c *coder) {
	roundField(c, &m.Round)
	frameField(c, "frame", &m.Frame)
	c.bool("committed", &m.Committed)
	c.text("why", &m.Why, maxSentence)
}

type hashesMsg struct {
	Round  uint32
	Frame  int64
	Hashes []SeatHash
}

func (*hashesMsg) kind() kind { return kindHashes }

func (m *hashesMsg) fields(c *coder) {
	roundField(c, &m.Round)
	frameField(c, "frame", &m.Frame)
	seatHashes(c, &m.Hashes, c.short)
}

type finishedMsg struct {
	Round  uint32
	Frames int64
	Hashes []SeatHash
	Stats  Stats
}

func (*finishedMsg) kind() kind { return kindFinished }

func (m *finishedMsg) fields(c *coder) {
	roundField(c, &m.Round)
	frameField(c, "frames", &m.Frames)
	hashesField(c, &m.Hashes)
	c.within("stats", m.Stats.fields)
}

func (s *Stats) fields(c *coder) {
	number(c, "stalls", &s.Stalls, 0, MaxFrame)
	c.duration("stall time", &s.StallTime)
	number(c, "sent", &s.Sent, 0, 1<<50)
	number(c, "received", &s.Received, 0, 1<<50)
	c.duration("p50", &s.StepP50)
	c.duration("p99", &s.StepP99)
}

type endedMsg struct{ Ended }

func (*endedMsg) kind() kind { return kindEnded }

func (m *endedMsg) fields(c *coder) {
	roundField(c, &m.Round)
	number(c, "outcome", &m.Outcome, int64(OutcomeFinished), int64(OutcomeAborted))
	c.text("why", &m.Why, maxSentence)
	if m.Outcome == OutcomeDesync && c.err == nil {
		if c.reading {
			m.Desync = new(Desync)
		}
		c.within("desync", m.Desync.fields)
	}
	list(c, "results", &m.Results, MaxMachines, resultFields)
}

type differMsg struct {
	Round  uint32
	Desync Desync
}

func (*differMsg) kind() kind { return kindDiffer }

func (m *differMsg) fields(c *coder) {
	roundField(c, &m.Round)
	c.within("desync", m.Desync.fields)
}

func (d *Desync) fields(c *coder) {
	frameField(c, "frame", &d.Frame)
	number(c, "agreed", &d.Agreed, -1, MaxFrame)
	seatField(c, &d.Seat)
	machineField(c, &d.Machine)
	c.text("region", &d.Region, maxName)
	c.text("words", &d.Words, maxSentence)
}

func resultFields(c *coder, r *Result) {
	machineField(c, &r.Machine)
	c.text("nickname", &r.Nickname, maxName)
	c.bool("finished", &r.Finished)
	c.text("why", &r.Why, maxSentence)
	frameField(c, "frames", &r.Frames)
	hashesField(c, &r.Hashes)
	c.within("stats", r.Stats.fields)
}
