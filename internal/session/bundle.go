package session

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/bugreport"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/picture"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
)

// bundle is a file for a bug report in the making, on a goroutine of its own.
type bundle struct {
	*evidence
	round    uint32
	folder   string
	program  string
	game     string
	settings host.Settings
	core     emucore.Core
	began    time.Time
	names    map[int]string // of the players by machine
	reports  []desync.Report
	verdict  bugreport.Verdict
	donorAir []byte
	log      string // the recording's file, "" for none
	again    player.Config
	rerun    *Rerun // what came of it
}

const (
	// logPatience is how long is waited for a recording to come into its file.
	logPatience = 5 * time.Second
	// maxRerun is how many frames are played again by themselves: a minute of play,
	// some seconds of a processor that nobody else wants.
	maxRerun = 3600
	// consoleRAM is where a DS has its main memory.
	consoleRAM = 0x02000000
)

// keepBundle writes a bundle and says where it is, then plays the recording again, if
// that is short, and adds what came of it. One goes after the other.
func (s *session) keepBundle(b *bundle) {
	s.bundles.writing.Lock()
	defer s.bundles.writing.Unlock()
	l := b.waitForLog()
	if l != nil {
		defer l.Close()
	}
	path, err := b.write(l)
	if err != nil {
		s.commands.add(func() { s.say("What the machines differed in could not be kept for a bug report: %v", err) })
		return
	}
	s.bundles.add(path)
	s.commands.add(func() {
		s.say("What the machines differ in is kept for a bug report, with your saves, in %s", path)
	})
	if l == nil {
		return
	}
	words := b.playAgain(s.bundles.life, l, path)
	s.commands.add(func() {
		s.say("%s", words)
		s.shareRerun(b.round, b.evidence.verdict, b.rerun)
	})
}

// waitForLog opens the recording once what happened up to the resync is in it, the new
// consoles too, or the game's end. It is nil if there is none.
func (b *bundle) waitForLog() *replay.Log {
	if b.log == "" {
		b.lacks("the recording: this game is not recorded")
		return nil
	}
	for late := time.Now().Add(logPatience); ; {
		l, err := replay.Open(b.log)
		over := time.Now().After(late)
		if err == nil && (b.donor >= 0 && l.Length() > b.frame || l.Ended && l.Whole(len(l.Restarts)) || over) {
			return l
		}
		if err == nil {
			l.Close()
		}
		if over {
			b.lacks("the recording: %v", err)
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// write makes the file.
func (b *bundle) write(l *replay.Log) (string, error) {
	path, err := bugreport.Place(b.folder, b.game, b.began)
	if err != nil {
		return "", err
	}
	if own := b.own[b.verdict.Seat]; own != nil && b.frame == 0 {
		b.frame = own.frame
	}
	b.verdict.Missing, b.verdict.Taken = b.missing, b.frame
	parts := []bugreport.Part{
		bugreport.Text("README.txt", b.readme(l != nil)),
		bugreport.JSON(bugreport.VerdictName, b.verdict),
		{Name: "versions.txt", Write: b.writeVersions},
		{Name: "hashes.txt", Write: b.writeHashes},
		{Name: "core.txt", Write: b.writeCoreLogs},
		{Name: "diff.txt", Write: b.writeDiff},
	}
	if l != nil {
		parts = append(parts, bugreport.Copy(bugreport.LogName, l.Path, l.Size))
	}
	parts = append(parts, b.states()...)
	if err := bugreport.Write(path, parts...); err != nil {
		return "", err
	}
	return path, bugreport.Tidy(b.folder)
}

// states are the consoles themselves.
func (b *bundle) states() []bugreport.Part {
	var parts []bugreport.Part
	add := func(name string, data []byte) {
		if len(data) > 0 {
			parts = append(parts, bugreport.Bytes("states/"+name, data))
		}
	}
	for _, who := range []struct {
		name string
		list map[int]*remains
		air  []byte
	}{{"own", b.own, b.ownAir}, {"donor", b.theirs, b.donorAir}} {
		for _, seat := range slices.Sorted(maps.Keys(who.list)) {
			r := who.list[seat]
			add(fmt.Sprintf("%s-seat%d.state", who.name, seat+1), r.state)
			add(fmt.Sprintf("%s-seat%d.sav", who.name, seat+1), r.sram)
			if r.screen != nil {
				parts = append(parts, bugreport.Part{
					Name:  fmt.Sprintf("screens/%s-seat%d.png", who.name, seat+1),
					Write: func(w io.Writer) error { return png.Encode(w, r.screen) },
				})
			}
		}
		add(who.name+".air", who.air)
	}
	return parts
}

func (b *bundle) readme(logged bool) string {
	d, v := b.evidence.verdict, b.verdict
	var t strings.Builder
	fmt.Fprintf(&t, "nettplay: machines that were not alike\n\n%s.\n\n", d.Words)
	fmt.Fprintf(&t, "This was written on %s's machine. The game was %s, with the core %s.\n", v.MachineName, v.Game, v.Core)
	switch {
	case b.donor >= 0:
		fmt.Fprintf(&t, "After frame %d all machines took their consoles from %s's, and the game went on.\n", b.frame, b.names[b.donor])
	default:
		t.WriteString("The game ended with it, so there are only this machine's consoles, and not those of another.\n")
	}
	t.WriteString(`
PRIVATE: the recording and the states have all players' saves, names and button presses
in them, as far as they were in this game. There is no password and no address, and no
game or core. Give it only to whom you trust with that.

README.txt       this
verdict.json     the verdict, for programs; seats and machines count from 0 there
versions.txt     of the program, the system and the core
hashes.txt       what the machines reported in the last 20 seconds, as far as it was known here
core.txt         the last lines that the core printed
diff.txt         where this machine's consoles and the others' differ
states/          own-seatN: of this machine. donor-seatN: of the machine that all took theirs from.
                 .state is a console as the core saves it, .sav its cartridge's save, .air the radio
screens/         what the consoles showed
`)
	if logged {
		t.WriteString(`log.nplog        the recording of the game so far
rerun.json       what came of playing the recording again on this machine, if that was short

To look for the first frame that differs, with this file and that of the other machine:

  nettplay bisect THIS.zip OTHER.zip
`)
	}
	return t.String()
}

func (b *bundle) writeVersions(w io.Writer) error {
	bugreport.WriteVersions(w, b.program, host.Protocol)
	fmt.Fprintf(w, "core %s %s, SHA-256 %x\n", b.core.Name, b.core.Version, b.core.SHA256)
	s := b.settings
	_, err := fmt.Fprintf(w, "input delay %d, hashes every %d frames, skew %d, clock %d, options %v\n", s.Delay, s.HashEvery, s.Skew, s.RTC, s.Options)
	return err
}

// writeHashes writes a line for each report.
func (b *bundle) writeHashes(w io.Writer) error {
	_, err := fmt.Fprintln(w, "frame\tseat\tmachine\tRAM\tsave\tradio\tpicture")
	for _, r := range b.reports {
		h := r.Hashes
		if _, err = fmt.Fprintf(w, "%d\t%d\t%s\t%016x\t%016x\t%016x\t%016x\n", r.Frame, r.Seat+1, b.names[r.Machine],
			h[desync.RAM], h[desync.SRAM], h[desync.Air], h[desync.Video]); err != nil {
			return err
		}
	}
	return err
}

func (b *bundle) writeCoreLogs(w io.Writer) error {
	for _, seat := range slices.Sorted(maps.Keys(b.own)) {
		if _, err := fmt.Fprintf(w, "seat %d:\n  %s\n", seat+1, strings.Join(b.own[seat].log, "\n  ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// writeDiff compares all consoles region by region.
func (b *bundle) writeDiff(w io.Writer) error {
	fmt.Fprintf(w, "%s.\nWhat follows is as of %d frames done.\n", b.evidence.verdict.Words, b.frame)
	if len(b.theirs) == 0 {
		_, err := fmt.Fprintln(w, "There was no resync, so there is nothing to compare with.")
		return err
	}
	for _, seat := range slices.Sorted(maps.Keys(b.own)) {
		own, theirs := b.own[seat], b.theirs[seat]
		if theirs == nil {
			continue
		}
		fmt.Fprintf(w, "\nseat %d\n", seat+1)
		if err := bugreport.WriteDiff(w, "main RAM", consoleRAM, own.ram, theirs.ram); err != nil {
			return err
		}
		if err := bugreport.WriteDiff(w, "save memory", 0, own.sram, theirs.sram); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if len(b.ownAir)+len(b.donorAir) == 0 {
		_, err := fmt.Fprintln(w, "There is no radio.")
		return err
	}
	return bugreport.WriteDiff(w, "the radio", 0, b.ownAir, b.donorAir)
}

// playAgain plays the recording again around the first difference, and adds to the file
// what came of it. It says so in words.
func (b *bundle) playAgain(ctx context.Context, l *replay.Log, path string) string {
	d := b.evidence.verdict
	how := fmt.Sprintf("\"nettplay bisect %s\" looks for the first frame that differs.", path)
	start := int64(0)
	for _, x := range l.Restarts {
		if x.Frame <= d.Agreed {
			start = x.Frame
		}
	}
	if d.Frame-start > maxRerun || d.Frame <= max(d.Agreed, 0) {
		return how
	}
	b.again.Log = l
	r, err := PlayAgain(ctx, b.again, d.Agreed, d.Frame)
	if ctx.Err() != nil {
		return how
	}
	var rerun bugreport.Rerun
	if err == nil {
		b.rerun = r
		rerun, err = r.judge(l, d.Seat, b.names[b.verdict.Machine])
	}
	if err == nil {
		err = bugreport.Add(path, append([]bugreport.Part{bugreport.JSON(bugreport.RerunName, rerun)}, b.pictures(r)...)...)
	}
	if err != nil {
		return fmt.Sprintf("The recording could not be played again to see what differs: %v", err)
	}
	return rerun.Words + "."
}

// pictures are what the consoles showed in the game when the states were taken, and what
// they showed, some frames before, when the recording was played again.
func (b *bundle) pictures(r *Rerun) []bugreport.Part {
	var list []picture.Console
	seat := b.evidence.verdict.Seat
	if own := b.own[seat]; own != nil && own.screen != nil {
		list = append(list, picture.Console{Title: "in the game", Note: fmt.Sprintf("after frame %d", b.frame), Screen: own.screen, Mine: true})
	}
	if img := r.Screens[seat]; img != nil {
		list = append(list, picture.Console{Title: "played again", Note: fmt.Sprintf("after frame %d", r.To), Screen: img})
	}
	if len(list) == 0 {
		return nil
	}
	img, err := picture.Compose(list)
	if err != nil {
		return nil
	}
	var buf bytes.Buffer
	if png.Encode(&buf, img) != nil {
		return nil
	}
	return []bugreport.Part{bugreport.Bytes(fmt.Sprintf("screens/side-by-side-seat%d.png", seat+1), buf.Bytes())}
}

// judge says whether a console came out again as it was recorded on this machine.
func (r *Rerun) judge(l *replay.Log, seat int, machine string) (bugreport.Rerun, error) {
	out := bugreport.Rerun{Format: bugreport.Format, Start: r.Start, From: r.From, To: r.To}
	for _, s := range slices.Sorted(maps.Keys(r.Traces)) {
		out.Set(s, r.Traces[s])
	}
	recorded, err := Recorded(l, seat, r.From, r.To)
	if err != nil {
		return out, err
	}
	d, common, differs := desync.First(Kept(r.Traces[seat]), recorded, recordable...)
	switch {
	case common == 0:
		return out, fmt.Errorf("the recording has no hash of seat %d from frame %d to %d", seat+1, r.From, r.To)
	case differs:
		out.Words = fmt.Sprintf("Playing the recording again on %s's machine does not give what it gave in the game (seat %d, %v after frame %d): a passing fault, such as a memory error, or something that is not in the recording",
			machine, seat+1, d.Region, d.Frame)
	default:
		out.Again = true
		out.Words = fmt.Sprintf("Playing the recording again on %s's machine gives the same as in the game (seat %d up to frame %d)", machine, seat+1, r.To)
	}
	return out, nil
}
