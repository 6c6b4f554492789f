package report

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// The texts of a bundle.

func (b *bundle) readme(logged bool) string {
	d, v := b.Evidence.verdict, b.verdict
	var t strings.Builder
	fmt.Fprintf(&t, "nettplay: machines that were not alike\n\n%s.\n\n", d.Words)
	fmt.Fprintf(&t, "This was written on %s's machine. The game was %s, with the core %s.\n", v.MachineName, v.Game, v.Core)
	switch {
	case b.donor >= 0:
		fmt.Fprintf(&t, "After frame %d all machines took their consoles from %s's, and the game went on.\n", b.frame, b.names[b.donor])
	default:
		t.WriteString("The game ended with it, so there are only this computer's consoles, and not those of another.\n")
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
	WriteVersions(w, b.verdict.Program, message.Protocol)
	core := b.again.Core
	fmt.Fprintf(w, "core %s %s, SHA-256 %x\n", core.Name, core.Version, core.SHA256)
	s := b.settings
	_, err := fmt.Fprintf(w, "input delay %d, hashes every %d frames, skew %d, clock %d, options %v\n", s.Delay, s.HashEvery, s.Skew, s.RTC, s.Options)
	return err
}

// writeHashes writes a line for each report.
func (b *bundle) writeHashes(w io.Writer) error {
	_, err := fmt.Fprintln(w, "frame\tseat\tmachine\tRAM\tsave\tradio\tpicture")
	for _, r := range b.reports {
		h := r.Hashes
		if _, err = fmt.Fprintf(w, "%d\t%v\t%s\t%016x\t%016x\t%016x\t%016x\n", r.Frame, r.Seat, b.names[r.Machine],
			h[desync.RAM], h[desync.SRAM], h[desync.Air], h[desync.Video]); err != nil {
			return err
		}
	}
	return err
}

func (b *bundle) writeCoreLogs(w io.Writer) error {
	for _, seat := range slices.Sorted(maps.Keys(b.own)) {
		if _, err := fmt.Fprintf(w, "seat %v:\n  %s\n", seat, strings.Join(b.own[seat].log, "\n  ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// consoleRAM is where a DS has its main memory.
const consoleRAM = 0x02000000

// writeDiff compares all consoles region by region.
func (b *bundle) writeDiff(w io.Writer) error {
	fmt.Fprintf(w, "%s.\nWhat follows is as of %d frames done.\n", b.Evidence.verdict.Words, b.frame)
	if len(b.theirs) == 0 {
		_, err := fmt.Fprintln(w, "There was no resync, so there is nothing to compare with.")
		return err
	}
	for _, seat := range slices.Sorted(maps.Keys(b.own)) {
		own, theirs := b.own[seat], b.theirs[seat]
		if theirs == nil {
			continue
		}
		fmt.Fprintf(w, "\nseat %v\n", seat)
		if err := WriteDiff(w, "main RAM", consoleRAM, own.ram, theirs.ram); err != nil {
			return err
		}
		if err := WriteDiff(w, "save memory", 0, own.sram, theirs.sram); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if len(b.ownAir)+len(b.donorAir) == 0 {
		_, err := fmt.Fprintln(w, "There is no radio.")
		return err
	}
	return WriteDiff(w, "the radio", 0, b.ownAir, b.donorAir)
}

// WriteVersions describes the program and the machine: versions, system, processor.
// Nothing in it identifies or locates a person.
func WriteVersions(w io.Writer, program string, protocol int) {
	fmt.Fprintf(w, "nettplay %s, protocol %d\n", program, protocol)
	fmt.Fprintf(w, "%s %s/%s, %d CPUs\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, name := range []string{processor(), system()} {
		if name != "" {
			fmt.Fprintln(w, name)
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			fmt.Fprintf(w, "%s %s\n", d.Path, d.Version)
		}
	}
}

// Hashes are a console's hashes as machines compare them.
func Hashes(h room.SeatHash) desync.Hashes {
	h = h.Short()
	return hashes(h.Hash, h.Air)
}

// hashes are those of a console, and of what it has sent by radio.
func hashes(h ds.Hash, air uint64) desync.Hashes {
	return desync.Hashes{desync.RAM: h.RAM, desync.SRAM: h.SRAM, desync.Video: h.Video, desync.Air: air}
}

// Desync is a verdict in a game, as all machines get to know it.
func Desync(g *game.Game, v desync.Verdict) message.Desync {
	words := fmt.Sprintf("%s's copy of %s's console (seat %v) differs in %s after frame %d",
		g.Owner(v.Machine), g.Owner(g.Owners()[v.Seat]), v.Seat, v.Region, v.Frame)
	if v.Agreed >= 0 {
		words += fmt.Sprintf("; all agreed after frame %d", v.Agreed)
	}
	return message.Desync{
		Frame: v.Frame, Agreed: v.Agreed, Seat: v.Seat, Machine: v.Machine, Region: v.Region.String(), Words: words,
	}
}
