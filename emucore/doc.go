// Package emucore runs emulated Nintendo DS consoles: libretro cores, each in a
// worker process of its own.
//
// A [Console] is started from a [Config] (core, ROM, settings, clock, save) and
// then goes frame by frame: [Console.Step] takes an [Input] and gives a picture
// and sound. [Console.Hash] says what has become of it, [Console.Save] and
// [Console.Load] move it from machine to machine.
//
//	core, err := emucore.FindCore(ctx, "", nil) // the default core
//	rom, err := emucore.OpenROM("game.nds")
//	c, err := emucore.Start(ctx, emucore.Config{Core: core, ROM: rom, RTC: 1_000_000_000})
//	defer c.Close()
//	frame, err := c.Step(emucore.Input{Keys: inputdelay.KeyA})
//
// What the package promises:
//
//   - Equal configurations and equal inputs make equal consoles, on every machine
//     with the same core file. A core sees a clock that moves with its frames,
//     and nothing of its host: neither environment, locale, files, network nor
//     what malloc happens to return. What is known of a core (which options must
//     be pinned, how its memory is found) is in its [Profile].
//   - A core can crash, hang, exit, print, leak or attack as it likes: it costs an
//     error with a reason ([CrashError], [HangError], [StartError]), in time.
//     Nothing is left behind, neither a process nor a file, even if this process
//     is killed.
//
// How it is done. A worker is this same executable, started again; a C
// constructor takes over before the Go runtime exists and never returns
// (worker.c). So a worker is one small single-threaded C process with a core in
// it, that can be sandboxed, killed and forked. The parent sends it requests over
// a socket, and they share a sealed piece of memory for what is large
// (worker.h); whatever comes from there is checked. Because of the constructor
// and of the clock functions that the executable exports for cores (clock.c),
// importing this package marks a program: outside of workers these functions are
// libc's.
//
// The package works on Linux with glibc, on x86-64 and arm64. It logs nothing. Read inputdelay first, for what an
// input is, and savestate next, for how consoles on several machines are started
// alike.
package emucore
