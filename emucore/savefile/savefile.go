// Package savefile reads and writes the files in which emulators, flash cards and backup devices
// keep the save of a DS cartridge, and fits a save to the cartridge's chip.
//
// [Decode] tells the forms apart and gives the backup memory in a file, raw. [Fit] makes it as
// long as the chip. [Encode] writes a form. All of it is pure; files come from anywhere, so each
// length is checked before anything is made of it. Each form has its layout in a comment that
// names public sources of it.
//
// Beside that it reads what cores keep outside of libretro's interface: where in DeSmuME's states a console's memory and
// lid are, DeSmuME's own save files (.dsv), and how melonDS' states hang together. Such come from other machines too, and
// cores believe everything. The profiles of package emucore use it.
package savefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/emucore/banner"
)

// MaxFile is the limit of a file that [Decode] takes, in bytes: backup memory and what some forms add.
const MaxFile = MaxSize + MaxSize/64

// Form is how a save is written to a file.
type Form uint8

// The forms.
const (
	Raw             Form = iota // the memory as it is: melonDS, RetroArch, most dumpers
	FlashCard                   // the same, filled up to 512 KiB, as flash cards want it
	DSV                         // DeSmuME and DraStic: a footer
	ActionReplay                // .duc of the Action Replay DS and of MAX Drive: a header of 500 bytes
	ActionReplayEZ              // .duc of later Action Replays (Media Edition, EZ, DSi): a header of 164 bytes
	NoGBA                       // no$gba, stored
	NoGBACompressed             // no$gba, run lengths
	YSMenu                      // as on a flash card with YSMenu: its flags are the last 8 bytes
	forms
)

// formNames are the forms' names in commands.
var formNames = [forms]string{"raw", "flashcard", "dsv", "duc", "duc-ez", "nogba", "nogba-compressed", "ysmenu"}

// String is the form's name in commands.
func (f Form) String() string {
	if f < forms {
		return formNames[f]
	}
	return fmt.Sprintf("Form(%d)", uint8(f))
}

// Words says what has the form, for people.
func (f Form) Words() string {
	return [forms]string{
		"melonDS, RetroArch (raw)", "flash card (512 KB)", "DeSmuME, DraStic (.dsv)", "Action Replay DS (.duc)",
		"Action Replay EZ, DSi (.duc)", "no$gba, stored", "no$gba, compressed", "YSMenu (512 KB)",
	}[f]
}

// Extension is the usual end of a file's name in the form, with the dot.
func (f Form) Extension() string {
	return [forms]string{".sav", ".sav", ".dsv", ".duc", ".duc", ".sav", ".sav", ".sav"}[f]
}

// Forms are all of them.
func Forms() []Form {
	list := make([]Form, forms)
	for i := range list {
		list[i] = Form(i)
	}
	return list
}

// ParseForm is the form of a name in commands.
func ParseForm(name string) (Form, error) {
	for i, n := range formNames {
		if strings.EqualFold(n, name) {
			return Form(i), nil
		}
	}
	return 0, fmt.Errorf("%q is no form of a save: there are %s", name, strings.Join(formNames[:], ", "))
}

// FormOf is the form that a file's name asks for.
func FormOf(name string) Form {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".dsv":
		return DSV
	case ".duc", ".dss":
		return ActionReplay
	}
	return Raw
}

// IsName reports whether a file is called as saves are.
func IsName(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".sav", ".srm", ".dsv", ".duc", ".dss":
		return true
	}
	return false
}

// Save is what was in a file.
type Save struct {
	Form Form
	SRAM []byte // backup memory, raw; of the length that the file gives it
	// Lost is the number of bytes at the beginning of SRAM that the file does not have: they
	// are FF. It is 0 but for an [ActionReplay] file whose header lies over the save.
	Lost int
}

// others are files that people try instead, told by how they begin.
var others = []struct{ magic, what string }{
	{"PK\x03\x04", "it is a zip archive: unpack it and take the save in it"},
	{"7z\xbc\xaf\x27\x1c", "it is a 7z archive: unpack it and take the save in it"},
	{"Rar!\x1a\x07", "it is a rar archive: unpack it and take the save in it"},
	{"\x1f\x8b", "it is compressed with gzip: unpack it first"},
	{"#RZIPv", "RetroArch has compressed it: switch off \"SaveRAM Compression\" in its settings (Saving), play and save once more"},
	{"DSXS", "it is a save of a GameShark (.gds), which is compressed: convert it to .sav first"},
	{"DeSmuME SState", "it is a savestate of DeSmuME; your save is in a file that ends in .dsv"},
	{"MELN", "it is a savestate of melonDS; your save is in a file that ends in .sav"},
	{"RASTATE", "it is a savestate of RetroArch; your save is in a file that ends in .srm"},
	{"<!DOCTYPE", "it is a web page: the download did not give the file"},
	{"<html", "it is a web page: the download did not give the file"},
	{"\x89PNG", "it is a picture"},
	{"\xff\xd8\xff\xe0", "it is a picture"},
	{"%PDF-", "it is a document"},
}

// Errors of Decode.
var (
	ErrEmpty = errors.New("there is no save in it: it is empty")
	ErrBlank = errors.New("there is no save in it: it is blank, like an erased cartridge")
)

// Decode returns the save in a file's content. The errors are for the user, who chose the file:
// that it is something else, damaged, empty or blank. The save may be part of file.
func Decode(file []byte) (Save, error) {
	s, err := Parse(file)
	switch {
	case err != nil:
		return Save{}, err
	case len(s.SRAM) == 0:
		return Save{}, ErrEmpty
	case Blank(s.SRAM):
		return Save{}, ErrBlank
	}
	return s, nil
}

// Parse is Decode for a file in which there may be no save: backup memory that is empty or blank
// is no error.
func Parse(file []byte) (Save, error) {
	if len(file) > MaxFile {
		return Save{}, fmt.Errorf("it has %d bytes, more than any cartridge's save (%d MB)", len(file), MaxSize>>20)
	}
	for _, o := range others {
		if bytes.HasPrefix(file, []byte(o.magic)) {
			return Save{}, errors.New(o.what)
		}
	}
	if isROM(file) {
		return Save{}, errors.New("it is a game, not a save")
	}
	s, err := decode(file)
	if err == nil && len(s.SRAM) > MaxSize {
		err = fmt.Errorf("it has %d bytes, more than any cartridge's save (%d MB)", len(s.SRAM), MaxSize>>20)
	}
	if err != nil {
		return Save{}, err
	}
	return s, nil
}

// isROM knows games by the checksum of their header.
func isROM(file []byte) bool {
	const at = 0x15e
	return len(file) >= 0x200 && banner.CRC16(file[:at]) == binary.LittleEndian.Uint16(file[at:]) && !erased(file[:at])
}

// decode tells the forms apart: by how they begin, how they end, and else as raw.
func decode(file []byte) (Save, error) {
	switch {
	case bytes.HasPrefix(file, []byte(nogbaMagic)):
		return decodeNoGBA(file)
	case bytes.HasPrefix(file, []byte(ducMagic)):
		return decodeActionReplay(file)
	case isActionReplayEZ(file):
		return Save{Form: ActionReplayEZ, SRAM: file[ducEZHeader:]}, nil
	case bytes.HasSuffix(file, []byte(DSVCookie)):
		return decodeDSV(file)
	case isYSMenu(file):
		return Save{Form: YSMenu, SRAM: withoutFlags(file)}, nil
	}
	return Save{Form: Raw, SRAM: file}, nil
}

// Encode writes backup memory in a form. Title names the game where the form has a place for
// that. The result may be sram itself.
func Encode(f Form, sram []byte, title string) ([]byte, error) {
	if len(sram) == 0 || len(sram) > MaxSize {
		return nil, fmt.Errorf("backup memory of %d bytes: not in 1 to %d", len(sram), MaxSize)
	}
	switch f {
	case Raw:
		return sram, nil
	case FlashCard:
		return filled(sram), nil
	case DSV:
		return EncodeDSV(sram)
	case ActionReplay:
		return encodeActionReplay(sram, title), nil
	case ActionReplayEZ:
		return encodeActionReplayEZ(sram, title)
	case NoGBA, NoGBACompressed:
		return encodeNoGBA(sram, f == NoGBACompressed), nil
	case YSMenu:
		return encodeYSMenu(sram)
	}
	return nil, fmt.Errorf("no form %v", f)
}
