// Command figures measures what a player waits for and what it takes: the time from the start of a program
// to the first picture of its window, and the memory of the window alone and with consoles in it. It does the same
// with RetroArch, and writes a table. "make figures" runs it in a bare Debian, on an X server without a screen.
//
// A picture is there when the screen has more than a few colours: both programs are looked at from
// outside, by the file in which Xvfb keeps the screen, every other millisecond. Memory is the proportional
// share (PSS) of a program with all of its processes: what several processes use counts once.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
)

// How long is waited.
const (
	settling = 3 * time.Second // from the first picture to the look at the memory
	playing  = 6 * time.Second // the same with a game in it
)

func main() {
	log.SetFlags(0)
	rom := flag.String("rom", "pad.nds", "the game, a `file`")
	core := flag.String("core", "/usr/lib/x86_64-linux-gnu/libretro/desmume_libretro.so", "the core, a `file`")
	sizes := flag.String("sizes", "", "what apt says of the disk space of nettplay and of RetroArch, two `texts` with a | between")
	user := flag.Uint("user", 0, "whose programs they are, a `number`; 0 for the same user")
	flag.Parse()
	if err := measure(*rom, *core, *sizes, uint32(*user)); err != nil {
		log.Fatal("figures: ", err)
	}
}

// call is a way to start a program.
type call struct {
	name string
	args []string
	wait time.Duration // from the picture to the look at the memory
}

func measure(rom, core, sizes string, user uint32) error {
	home, err := os.MkdirTemp("", "figures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	if user != 0 {
		if err := os.Chown(home, int(user), int(user)); err != nil {
			return err
		}
	}
	screen, err := newScreen(home, user)
	if err != nil {
		return err
	}
	defer screen.close()
	ours := []call{
		{"idle", []string{"nettplay"}, settling},
		{"1", []string{"nettplay", "local", "--headless", "--core", core, "--no-record", rom}, playing},
		{"2", []string{"nettplay", "local", "--headless", "--core", core, "--no-record", "--consoles", "2", rom}, playing},
	}
	theirs := []call{
		{"idle", []string{"retroarch", "--menu"}, settling},
		{"1", []string{"retroarch", "-L", core, rom}, playing},
	}
	var table [2]map[string]result
	for i, list := range [][]call{ours, theirs} {
		table[i] = map[string]result{}
		for _, c := range list {
			r, err := screen.run(c)
			if err != nil {
				return fmt.Errorf("%s: %w", strings.Join(c.args, " "), err)
			}
			table[i][c.name] = r
		}
	}
	ourSize, theirSize, _ := strings.Cut(sizes, "|")
	a, b := table[0], table[1]
	fmt.Println("| | nettplay | RetroArch |")
	fmt.Println("|---|---|---|")
	row := func(what, ours, theirs string) { fmt.Printf("| %s | %s | %s |\n", what, ours, theirs) }
	row("installed, with DeSmuME and all that both need", cmp.Or(ourSize, "-"), cmp.Or(theirSize, "-"))
	row("from the start to the first picture", a["idle"].times(), b["idle"].times())
	row("memory of the idle window (PSS)", a["idle"].memory(), b["idle"].memory())
	row("the same, resident (RSS)", phrase.Megabytes(a["idle"].rss), phrase.Megabytes(b["idle"].rss))
	row("each console more", phrase.Megabytes(a["2"].pss-a["1"].pss), phrase.Megabytes(b["1"].pss-b["idle"].pss)+" (the first)")
	return nil
}

// result holds a program's figures.
type result struct {
	first    []time.Duration // to the first picture, of each start but the first
	pss, rss int64           // bytes, of all processes
}

func (r result) times() string {
	slices.Sort(r.first)
	ms := func(d time.Duration) int64 { return d.Milliseconds() }
	return fmt.Sprintf("%d ms (%d to %d)", ms(r.first[len(r.first)/2]), ms(r.first[0]), ms(r.first[len(r.first)-1]))
}

func (r result) memory() string { return phrase.Megabytes(r.pss) }
