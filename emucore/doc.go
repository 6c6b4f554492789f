// Package emucore runs emulated Nintendo DS consoles: libretro cores, each in a
// worker process of its own.
//
// A [Console] is started from a [Config] (core, ROM, settings, clock, save) and
// then goes frame by frame: [Console.Step] takes an [Input] and gives a picture
// and sound. [Console.Hash] says what has become of it, [Console.Save] and
// [Console.Load] move it from machine to machine.
//
//	core, err := emucore.Search{}.Find(ctx, "") // the default core
//	rom, err := emucore.OpenROM("game.nds")
//	c, err := emucore.Start(ctx, emucore.Config{Core: core, ROM: rom, RTC: 1_000_000_000})
//	defer c.Close()
//	frame, err := c.Step(emucore.Input{Keys: inputdelay.KeyA})
//
// The package promises:
//
//   - Equal configurations and equal inputs make equal consoles, on every machine
//     with the same core file. A core sees a clock that moves with its frames,
//     and nothing of its host: neither environment, locale, files, network nor
//     what malloc happens to return. A core's [Profile] holds everything known of
//     it: which options must be pinned, how its memory is found (in states of its own
//     format: package savefile).
//   - A core can crash, hang, exit, print, leak or attack as it likes, from its first
//     instruction on: it costs an
//     error with a reason ([CrashError], [HangError], [StartError]), in time.
//     Nothing is left behind, neither a process nor a file, even if this process
//     is killed.
//
// How it is done. A worker is this same executable, started again; a C
// constructor takes over before the Go runtime exists and never returns
// (worker_start_linux.c). So a worker is one small single-threaded C process with a core in
// it, that can be sandboxed, killed and put back. The parent sends it requests over
// a socket, and they share a sealed piece of memory for what is large
// (protocol.h); whatever comes from there is checked. Because of the constructor
// and of the clock functions that the executable exports for cores (clock_linux.c),
// importing this package marks a program: outside of workers these functions are
// libc's.
//
// A worker that gives no answer is judged by what it does, in its own processor
// time (watch.go): a busy machine is no failure of a core.
//
// # Snapshots
//
// With [Config].Rollback, which rooms with rollback set, a worker keeps images of its
// memory: [Console.StepFrom] finds the pages that were written since the last one before it runs a frame, and
// [Console.Return] puts them back (worker_pages.c). How pages are found is a system's part, behind worker_pages.h; Linux has three ways,
// [SnapshotWays]. It is exact, with and without a JIT; record 0073 has what it costs, and what a
// core must not do for it: take memory from the system once it is loaded, or have threads.
//
// # The radio
//
// With a [Radio] the core's netpacket interface, if it has one, is the air of
// package air: worker_radio.c stands between the two, in the worker, and nothing
// of it goes through this process. A Step then lasts until the frame is over on
// the air, so consoles of one air must be stepped at the same time, each from a
// goroutine of its own, and each must be given the input of its next frame as
// soon as it is there: another one may need it to end its own frame. Package air
// decides which of them waits for another, and makes sure that none waits for ever.
//
// The radio adds to a console's state:
//
//   - Packets on their way, and who is on the air: [air.Air.Save].
//   - Packets that the core has taken: in the core's own state, if it is a good
//     core.
//   - What kind of packet it sent last, whose game it is in, how far it may be
//     ahead there, or its clients of it (struct np_tuned): they decide when a console runs, so they are
//     in [State], and Load brings them back.
//   - The marks of the virtual clock (has clock() been called since the last
//     poll, by how much is it ahead): a wait ends within its frame, so they are
//     forgotten at each frame's end, and nobody can save them.
//   - Where a console stands and what it was granted: within a frame, too.
//
// None of it is in [Hash]: it shows there as soon as it makes a difference, and
// the air has a hash of its own.
//
// The package works on Linux with glibc, on x86-64 and arm64. It logs nothing.
// Read inputdelay first, for what an input is, and savestate next, for how
// consoles on several machines are started alike.
package emucore
