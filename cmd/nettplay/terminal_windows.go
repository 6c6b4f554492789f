package main

import (
	"io"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32         = windows.NewLazySystemDLL("kernel32.dll")
	consoleProcesses = kernel32.NewProc("GetConsoleProcessList")
	freeConsole      = kernel32.NewProc("FreeConsole")
)

// useConsole gives up a console that Windows made for this program alone, as it does for one that was started by a
// click, where a window is to open. In a console of the player's it has
// Windows obey the sequences that redraw a line.
func useConsole(args []string) {
	var ids [2]uint32
	n, _, _ := consoleProcesses.Call(uintptr(unsafe.Pointer(&ids[0])), uintptr(len(ids)))
	if n == 1 && wantsWindow(args) {
		_, _, _ = freeConsole.Call()
		return
	}
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		var mode uint32
		if h := windows.Handle(f.Fd()); windows.GetConsoleMode(h, &mode) == nil {
			_ = windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
		}
	}
}

// typed returns what a player may type or pipe, nil for anything else: a file is not meant for us.
func typed(f *os.File) io.Reader {
	switch kind, _ := windows.GetFileType(windows.Handle(f.Fd())); kind {
	case windows.FILE_TYPE_PIPE:
		return f
	case windows.FILE_TYPE_CHAR:
		if isConsole(f) {
			return f
		}
	}
	return nil
}

func isConsole(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}

// hidden has a console not show what is typed; nil for a file that is no console.
func hidden(f *os.File) func() (show func()) {
	if !isConsole(f) {
		return nil
	}
	return func() (show func()) {
		h := windows.Handle(f.Fd())
		var before uint32
		if windows.GetConsoleMode(h, &before) != nil {
			return func() {}
		}
		_ = windows.SetConsoleMode(h, before&^windows.ENABLE_ECHO_INPUT)
		return func() { _ = windows.SetConsoleMode(h, before) }
	}
}

// terminal returns how many letters fit in a line of the console that a file
// is, 0 if it is none, or one that cannot redraw a line.
func terminal(f *os.File) (columns int) {
	var info windows.ConsoleScreenBufferInfo
	var mode uint32
	h := windows.Handle(f.Fd())
	if windows.GetConsoleMode(h, &mode) != nil || mode&windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING == 0 || windows.GetConsoleScreenBufferInfo(h, &info) != nil {
		return 0
	}
	return int(info.Window.Right - info.Window.Left + 1)
}
