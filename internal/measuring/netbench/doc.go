// Package netbench measures what players of a room get from the program over bad lines: real
// processes of it play on the test core through impairing relays, and beside each game a bare ENet
// pair sends the same inputs over a line with the same impairments and seeds. "make netbench" runs
// all [Cases] and writes docs/netbench.md, which says how to read the figures.
//
// Three things are measured alike, from the same lists of times ([diagnostics.FrameTimes]): a [Play] by
// processes, the [Floor] by bare ENet, and the [Ideal], which is computed: what the line lets
// through when every datagram is taken as soon as it arrives. [Measure] makes figures of them. It
// is pure, as are the cases; only Play and Floor touch the machine. Next to read:
// internal/measuring/netbench/report.
package netbench
