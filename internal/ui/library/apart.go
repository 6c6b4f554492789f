package library

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
)

// regions are where games are sold, by the last letter of their code.
var regions = map[byte]string{
	'A': "All regions", 'C': "China", 'D': "Germany", 'E': "USA", 'F': "France", 'H': "Netherlands", 'I': "Italy", 'J': "Japan", 'K': "Korea",
	'L': "USA", 'M': "Sweden", 'N': "Norway", 'O': "All regions", 'P': "Europe", 'Q': "Denmark", 'R': "Russia", 'S': "Spain", 'T': "USA and Australia",
	'U': "Australia", 'V': "Europe and Australia", 'W': "Europe", 'X': "Europe", 'Y': "Europe", 'Z': "Europe",
}

// region is where a game is sold; "" for nobody knows.
func (g *Game) region() string {
	if len(g.ROM.Code) != 4 {
		return ""
	}
	return regions[g.ROM.Code[3]]
}

// dump tells copies of a game apart that are sold in one region: the beginning of the SHA-256, or of one that was not read
// the name of its file.
func (g *Game) dump() string {
	if g.ROM.Unread() {
		return phrase.Printable(filepath.Base(g.ROM.Path))
	}
	return fmt.Sprintf("%x", g.ROM.SHA256[:3])
}

// tellApart gives games of one title what tells them apart: the region, or where that is one for several of them, or not
// known, what dump says, too.
func tellApart(games []Game) {
	type copies struct {
		of      []int
		regions map[string]int
	}
	titles := make(map[string]*copies, len(games))
	for i := range games {
		title := strings.ToLower(games[i].Title)
		c := titles[title]
		if c == nil {
			c = &copies{regions: map[string]int{}}
			titles[title] = c
		}
		c.of = append(c.of, i)
		c.regions[games[i].region()]++
	}
	for i := range games {
		g := &games[i]
		g.Apart = ""
		c := titles[strings.ToLower(g.Title)]
		if len(c.of) < 2 {
			continue
		}
		region := g.region()
		switch {
		case region == "":
			g.Apart = g.dump()
		case c.regions[region] > 1:
			g.Apart = region + " · " + g.dump()
		default:
			g.Apart = region
		}
	}
}

// Called is the title with what tells the game apart from others of that title.
func (g *Game) Called() string {
	if g.Apart == "" {
		return g.Title
	}
	return g.Title + " (" + g.Apart + ")"
}

// About is what tells the game apart, and the other lines of its banner.
func (g *Game) About() string {
	if g.Apart == "" || g.More == "" {
		return g.Apart + g.More
	}
	return g.Apart + " · " + g.More
}
