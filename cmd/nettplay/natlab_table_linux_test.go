package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

const pairsIntro = `# Routers through which friends meet

Made by ` + "`make natlab`" + ` with two real programs that play %s frames to equal consoles, between network
namespaces with nftables and a real miniupnpd. Seconds are from the start of the friend's program, with the
invitation, to the lobby. Without a relay, the friend's program shows an answer once it has tried all addresses
for five seconds; it is pasted at the game host's at once. Each program asks its router to let friends in;
"UPnP" does. A dash: they do not meet, and the friend is told so after that time. "At 1,280" both routers drop each
datagram that makes a packet of IPv6 of more than 1,280 bytes, and all fragments, without a word, as many VPNs do.

`

// writePairs writes the tables for the documentation.
func writePairs(t *testing.T, pairs, narrow, shared []*outcome) {
	var b strings.Builder
	var seconds []float64
	fmt.Fprintf(&b, pairsIntro, pairFrames)
	cell := func(o *outcome) string {
		if o.Path == "" {
			return fmt.Sprintf("–, %.1f s", o.Told)
		}
		return fmt.Sprintf("%s, %.1f s", o.Path, o.Seconds)
	}
	rows := func(name func(o *outcome) string, tables ...[]*outcome) {
		for i := 0; i < len(tables[0]); i += 2 {
			fmt.Fprintf(&b, "| %s |", name(tables[0][i]))
			for _, table := range tables {
				with, without := table[i], table[i+1]
				fmt.Fprintf(&b, " %s | %s |", cell(with), cell(without))
				if with.Path != "" {
					seconds = append(seconds, with.Seconds)
				}
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("| game host's router | friend's router | with a relay | without | with a relay, at 1,280 | without, at 1,280 |\n|---|---|---|---|---|---|\n")
	rows(func(o *outcome) string { return o.Host + " | " + o.Friend }, pairs, narrow)
	b.WriteString("\nBoth behind one router:\n\n| router | with a relay | without |\n|---|---|---|\n")
	rows(func(o *outcome) string { return o.Host }, shared)
	slices.Sort(seconds)
	b.WriteString("\nTwo symmetric routers also meet by a third friend with UPnP ([Help my friends meet](hosting.md#help-my-friends-meet)), who plays with them or\ndoes not.\n")
	fmt.Fprintf(&b, "\nWith a relay the median is %.1f s and the longest %.1f s.\n", seconds[len(seconds)/2], seconds[len(seconds)-1])
	must.Succeed(t, os.WriteFile("../../docs/natlab.md", []byte(b.String()), 0o644))
}
