// Package air is the radio between the consoles of one machine: it decides which console
// may run, and which hears what and when. Its promise: packets are a function of what the consoles
// do, never of how fast they do it, so they are the same on every machine.
//
// # Words
//
// A console does nothing to the air until its first radio operation, a send or
// a poll. Up to there it is off the air: it runs freely, frames ahead of others
// or behind. From there it is on the air, until it has finished a frame without
// an operation. On the air it runs (also while it waits for its input), or it
// stands: polling at a poll that does not block, blocked at one that does, or
// parked, having finished a frame. The others are live. A console is in the
// frame that it has begun last; so a parked one is in the one it has finished.
//
// # The schedule
//
// Time on the air is a sequence of rounds. A decision ends a round and begins
// the next one. It is taken as soon as two things are true: nobody on the air
// runs, and each console off the air has finished the highest frame that
// somebody on the air is in, or waits at its first operation. Then:
//
//  1. Packets sent in the round go to the queues, in the order (sender,
//     sequence), and only to consoles on the air in that round. A queue holds
//     256; the oldest falls off.
//  2. A console that waits at its first operation comes on the air if everybody
//     there is in its frame or a later one. If nobody is on the air, the waiting
//     ones with the lowest frame come, when all others are past that frame. One
//     that wants to send runs.
//  3. Rule 1. Every polling console gets one packet from its queue, or the
//     answer that there is none; every blocked one with a packet gets it; parked
//     ones go on if nobody on the air has fewer finished frames.
//  4. Rule 2. If nobody has been let run so far, and so all live ones are
//     blocked: parked ones go on that have finished at most skew frames more
//     than the slowest. They may bring what is waited for.
//  5. Rule 3. If still nobody: the lowest blocked seat gives up. If it is the
//     only live one it is muted: it answers its own polls until its frame ends,
//     for nobody else can do anything before that.
//
// # Grants
//
// By these rules alone a game client stands at a blocking poll until its host
// sends again, and then has all that time to catch up while its host waits for
// it. So a console says whose client it is (np_radio_follow), and after rule 1
// those are looked at that stand at a blocking poll, await no replies, and got
// nothing. If the host has just been told that there is no packet for it, at the
// second such poll in a row or later, its client may give up 56 times: at once
// and, without a word to anybody, 55 times more. A packet that comes, or the end
// of the frame, takes away what is left of that; polls that do not block leave it
// alone. "In a row" is: in one frame, and nothing sent, received or waited for in
// between.
//
// This changes nothing that a core of that kind computes. It gives up in steps of
// 8 us, so 56 times are 448 us, and it polls every 512 us when it is idle. When
// it blocks its time is not later than that of the last packet from its host and
// the packet's length; then come at least two idle polls of the host, the second
// of them 512 us or more after the packet's end. So what the host sends after
// that is later than the time that its client can come to, and heard at the same
// emulated time as without a grant. Each further poll of the host gives 512 us
// for 448. A host may have allowed its clients to run on for a while (an ack
// does): then they are later when they block, and say by how many polls; as many
// more are needed. The host counts them, too, from its ack on and over the ends of
// its frames; once it has made them it has to poll but twice in its frame. A client that
// hears a packet of another console does not know any more where its host is, and gets no
// grants until the next one.
//
// With a bystander, a console on the air that is not in their game, this holds:
//
//   - As long as it only listens, all of this: its polls are nobody's host's, so they
//     grant nothing, and a decision that waits for it is taken on the same state.
//   - What the host and its clients send each other is heard at the same time still,
//     up to the first packet of the bystander that one of them hears.
//   - That packet may find a client up to 448 us further on than without a grant, for
//     each time that it was granted some since its host sent: nothing relates the time
//     of a bystander to that of a host, so there is no number of polls after which it
//     could not come. All machines give the same grants, so it is as late on all of
//     them, and no packet is lost by it; but with [Config.Plain] the same game is
//     another one from there on. Where nobody has to give up and clients are quiet
//     (see below), a bystander that sends is the only case in which grants show.
//   - Then the client gets no more grants until it hears its host, and the host's count
//     of idle polls begins anew if it hears the packet, too.
//   - Leaves are not touched: a bystander that runs is one that can send, so there are
//     none beside it.
//
// # Leaves
//
// The other way round, a console that is idle asks 33 times a frame whether there is
// a packet for it, and waits each time for all others. So a console that is told that there is
// none, or that begins a frame, may be given leave: it answers so many further polls that
// do not block by itself. It is given leave if each of the others
//
//   - is off the air, in a frame that this one has not begun: it cannot come on the
//     air before this one ends its frame. (Nothing is known of those off the air
//     beyond the highest frame that somebody was in before the decision.)
//   - or stands after this decision: it stands until the next one, which needs this
//     one to stand, too.
//   - or runs on after this console's ack, in the same frame or a later one, and is
//     quiet. It has just got that ack at a blocking poll, with nothing behind it; or
//     has got it before, has neither polled nor sent since, and goes on into a new
//     frame.
//
// The first two can be told nothing and tell nothing until this one stands, so its
// polls would be answered in the same way, with a decision for each: a blocked console
// has nothing in its queue, and a parked one waits for one that has finished
// fewer frames. The other is not let go earlier, since all that run have begun the
// frame of this one at least. It may go on so to the end of its frame. Of the third
// kind it is known that there are as many
// polls for which they need nothing; it may go on for as long. And where a client
// stands at a blocking poll, leave ends with the poll before the one at which that
// client would get a grant. Polls answered so are counted with the others when this
// console stands. A packet that it sends, a blocking poll and the frame's end take
// back what is left: after these somebody may have an answer for it.
//
// Leave is given by emulated state, as all else here: by what consoles stand at, and
// by their account of their own time (np_radio_follow), which follows from packets
// they have sent and heard, and from how often they have polled. The account is
// kept with their state, and at a stop forgotten here, since a console that is
// brought back there has nothing to say until it runs.
//
// Without grants and leaves ([Config.Plain]) rounds have other numbers, and packets
// are the same, as long as clients are quiet while they run on and while they give
// up. A client that sends something of its own accord then is heard by its host at
// another time than without: not later than when it stands, or the host's leave
// ends. The rules are the same on all machines, so it is heard alike everywhere. So is
// what a bystander sends, see above.
//
// In a state to be saved there are no grants and leaves: nobody stands at a poll.
//
// # Snapshots
//
// A stop is an event: consoles forget there what they knew of each other's time, and the
// air counts as noisy. So all machines stop at the same frames, and a replay stops where
// the game did. The keyframes of a replay are taken at other frames, which depend on how fast
// its machine is, so they must be no events. [Air.Snapshot] changes nothing, and has in it what a
// stop makes consoles forget; an air restored from it goes on exactly as its original.
//
// # Silence
//
// Leave is for consoles that nobody can send to. Of radios that only listen each could
// send at any time, so all would stand 33 times a frame for each other, and nothing
// would come of it. So where the air is silent they ask less often: a console that is let
// run stands, of its polls that do not block, at those with the numbers 0, 8, 16 ...
// in its frame only, and answers the others by itself, if
//
//   - two whole frames have gone by since the frame in which somebody on the air sent
//     a packet, or all stood at a stop: the highest frame that anybody was in then;
//   - it gets no packet now and none is queued for it;
//   - nobody on the air is its client: those are granted time by its polls.
//
// A packet that it sends ends that at once, its next stop or frame whenever one of the
// three is not true any more. This is no shortcut but a rule: a console that breaks the
// silence is heard up to 7 polls (3.6 ms of a DS) later than it would be in a livelier room, by
// all machines alike. With and without leaves it is the same, too. At which polls a
// console stands does not depend on where it stood before, since they are numbered by
// frame; and what it is told of the silence changes at the beginning of its frame and
// with packets, neither of which comes while leave lasts. The delay is little against that
// of a core anyway: rounds go by polls, not by time, and of two radios that were
// switched on at different times in their frames one is always that much behind.
//
// An example with skew 1, from frame 7 on: seat 0 is a game host, seat 1 its
// client, seat 2 off the air. A | is a decision, dots are a console that stands.
//
//	round    4          5            6          7        8            9         10
//	seat 0  |7 command |............|7 reply   |........|............|7 reply  |8 ...
//	        |  blocks  |            |  command |        |            |  ends 7 |
//	        |          |            |  blocks  |        |            |  parks  |
//	seat 1  |..........|7 command   |..........|8 blocks|8 command   |.........|....
//	        |          |  replies   |          |        |  replies   |         |
//	        |          |  ends 7    |          |        |  blocks    |         |
//	        |          |  parks     |          |        |            |         |
//	seat 2   must finish 7 before round 5 can begin,   8 before round 8 can
//
// Each packet is heard in the round after the one in which it was sent. Round 7
// begins by rule 2: seat 0 is blocked in frame 7, so seat 1, which is parked one
// frame ahead, goes on and hears the command in frame 8: an exchange straddles
// the end of a frame. Had it parked once more, seat 0 would have given up (rule
// 3). Round 10 begins by rule 1: nobody has finished fewer frames than seat 0.
//
// Two more numbers bound it from outside. Frames from [Air.Open] on may not be
// begun yet: a decision that would begin one waits. Frames from [Air.StopAt] on
// are not begun: a console parked there counts as one that never comes, so the
// others finish their frames without it. There a game is saved, and
// consoles come and go.
//
// # Why the outcome cannot depend on speed
//
// By induction over decisions. Between two of them each console on the air runs
// alone: it hears nothing, its packets go to a box of its own, so where it stops
// depends on its state only. A decision is taken when all have stopped, so it
// sees the same, whoever was last. It sees less of consoles off the air: one may
// or may not have come yet to an operation in a frame above the highest that
// somebody is in. But such a console is not looked at: only one in a frame that
// the slowest has begun comes on the air, and all of those are known to stand
// there, since the decision has waited for it. Open decides only when, never
// what: as long as it matters no one is let run, and what has been done so far
// (packets moved to queues, consoles brought on the air) is what would be done
// later. A core that crashes does so while it runs, where its state makes it,
// and the decision waits until [Air.Dead] says so.
//
// # Why it cannot deadlock
//
// If somebody on the air runs, it comes to an operation or its frame's end: it
// needs nobody but the input of its own frame, which has been opened. The same
// holds for a console off the air that is waited for: its frame is not above one
// that has been begun. Otherwise a decision is taken. If somebody polls, it is
// answered. If not, and somebody is blocked, rules 1 to 3 let at least one run.
// If nobody is live, the slowest parked ones go on, unless they are at the stop,
// and then all are: nobody is ahead of the stop. And no console is kept for more
// than its own frame by one that never answers: giving up takes emulated time,
// so its frame ends. Grants and leaves need nobody: they end by themselves, or with
// the frame.
//
// # How it is done
//
// All of this is one pure function over one struct (air.h): rules.c has the rules, packets.c
// what is sent and heard, doors.c the way on and silence, grants.c grants and leaves. The struct
// is in memory that the workers share. In wait.c they come to it, under a lock (lock.c),
// and the last to arrive decides: in a round there is no message to us. A state
// is replaced as a whole, and the lock says who has it, so a worker can be
// killed at any instruction: [Air.Dead], or whoever waits for the lock by then, takes it over,
// and what had not become the state has never been. One that lives and
// keeps the lock is killed for that ([Config.Held]). Hostile
// workers can spoil the game on their own machine, and nothing else: what Go
// reads is copied, checked and bounded.
//
// In serial mode a console that runs has the baton, and gives it away when it
// stands. It is for debugging: it decides nothing.
//
// Saved (saved.go) holds all that later decisions depend on, with the packets in flight. The trace
// (trace.go) is all that was sent. Read next: air.h, rules.c; then package emucore, whose workers call
// this, and internal/session, which owns it.
package air
