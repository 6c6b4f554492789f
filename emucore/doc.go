// Package emucore runs emulated Nintendo DS consoles: libretro cores, each in a
// worker process of its own.
//
// A [Console] is started from a [Config] (core, ROM, settings, clock, save) and
// then runs frame by frame: [Console.Step] takes an [Input] and returns a picture
// and sound. [Console.Hash] returns hashes of its state; [Console.Save] and
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
//     and nothing of its host: no environment, locale, files or network, and no
//     stale contents of memory from malloc. A core's [Profile] holds everything known
//     about it: which options must be pinned, how to find its memory (in states of its
//     own format: package savefile).
//   - A core may crash, hang, exit, print, leak or attack, from its first instruction
//     on. The caller gets an error with a reason ([CrashError], [HangError],
//     [StartError]) within a bounded time. No process and no file is left behind, even
//     if this process is killed.
//
// How it works: a worker is this same executable, started again; a C
// constructor takes over before the Go runtime exists and never returns
// (worker_start_linux.c). So a worker is one small single-threaded C process that holds
// a core and can be sandboxed, killed and replaced. The parent sends it requests over
// a socket, and the two share a sealed piece of memory for large data
// (protocol.h); the parent checks everything it reads from there. Importing this package
// changes a program: it gets the constructor, and exports clock functions for cores
// (clock_linux.c). Outside of workers these functions behave like libc's.
//
// Whether a worker that does not answer hangs is judged by its own processor
// time (watch.go), so a busy machine does not make a core fail.
//
// # Snapshots
//
// With [Config].Rollback, which rooms with rollback set, a worker keeps snapshots of its
// memory: before it runs a frame, [Console.StepFrom] finds the pages written since the last
// snapshot, and [Console.Return] restores them (worker_pages.c). Finding the pages depends on the
// system and lies behind worker_pages.h; Linux has three ways, [SnapshotWays]. Snapshots are exact,
// with and without a JIT. Record 0073 says what they cost and what a core must not do: allocate memory
// from the system once it is loaded, or have threads.
//
// # The radio
//
// With a [Radio] the core's netpacket interface, if it has one, is the air of
// package air: worker_radio.c connects the two, in the worker, and no packet
// goes through this process. A Step then lasts until the frame is over on
// the air, so the consoles of one air must be stepped at the same time, each from a
// goroutine of its own, and each must get the input of its next frame as soon as
// it is known: another console may need it to finish its own frame. Package air
// decides which console waits for which, and makes sure that none waits forever.
//
// The radio adds to a console's state:
//
//   - Packets in flight, and which consoles are on the air: [air.Air.Save].
//   - Packets that the core has received: in the core's own state, if the core
//     saves them.
//   - The kind of packet it sent last, whose game it is in, and how far it may run
//     ahead there, or its clients of it (struct np_tuned): they decide when a console runs,
//     so they are in [State], and Load restores them.
//   - The marks of the virtual clock (whether clock() was called since the last
//     poll, and how far it is ahead): a wait ends within its frame, so they are
//     cleared at the end of each frame and need not be saved.
//   - A console's position and what it was granted: these also last only within a frame.
//
// [Hash] covers none of this: a difference shows there once it affects the console, and
// the air has a hash of its own.
//
// The package works on Linux with glibc, on x86-64 and arm64. It logs nothing.
// Read inputdelay first, for what an input is, then savestate, for how
// consoles on several machines start alike.
package emucore
