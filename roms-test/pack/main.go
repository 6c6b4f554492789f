// Command pack makes Nintendo DS cartridge images of the test ROMs' linked
// programs, and the C table of their font. It writes nothing that depends on the
// time or place of the build.
//
//	pack font font.txt font.h
//	pack rom -title T -code C [-save] -banner TEXT -icon FILE -accent RRGGBB ARM9.elf ARM7.elf OUT.nds
//
// Read next: rom.go, which draws the header.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/nettplay/nettplay/roms-test/internal/font"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string, help io.Writer) error {
	switch {
	case len(args) == 3 && args[0] == "font":
		return packFont(args[1], args[2])
	case len(args) > 0 && args[0] == "rom":
		return packROM(args[1:], help)
	}
	return errors.New("usage: pack font IN OUT, or pack rom FLAGS ARM9 ARM7 OUT")
}

func packFont(in, out string) error {
	text, err := os.ReadFile(in)
	if err != nil {
		return fmt.Errorf("read font: %w", err)
	}
	f, err := font.Parse(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, []byte(f.C()), 0o666)
}

func packROM(args []string, help io.Writer) error {
	var r rom
	fs := flag.NewFlagSet("pack rom", flag.ContinueOnError)
	fs.SetOutput(help)
	fs.StringVar(&r.title, "title", "", "title in the header")
	fs.StringVar(&r.code, "code", "####", "game code")
	fs.BoolVar(&r.save, "save", false, "look like a cartridge with save memory")
	text := fs.String("banner", "", `title in the console's menu, lines separated by \n`)
	iconFile := fs.String("icon", "", "icon file")
	accent := fs.String("accent", "FFFFFF", "colour 1 of the icon")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() != 3 {
		return errors.New("pack rom needs the two programs and the file to write")
	}
	var err error
	if r.banner, err = readBanner(*iconFile, *accent, *text); err != nil {
		return err
	}
	if r.arm9, err = readProgram(fs.Arg(0)); err != nil {
		return err
	}
	if r.arm7, err = readProgram(fs.Arg(1)); err != nil {
		return err
	}
	image, err := r.image()
	if err != nil {
		return err
	}
	return os.WriteFile(fs.Arg(2), image, 0o666)
}

func readBanner(iconFile, accent, text string) ([]byte, error) {
	file, err := os.ReadFile(iconFile)
	if err != nil {
		return nil, fmt.Errorf("read icon: %w", err)
	}
	ic, err := parseIcon(string(file))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", iconFile, err)
	}
	if ic.palette[1], err = parseColour(accent); err != nil {
		return nil, fmt.Errorf("accent: %w", err)
	}
	return banner(ic, strings.ReplaceAll(text, `\n`, "\n"))
}
