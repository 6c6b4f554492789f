package roms

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Where a game of the room is missing, the edition of it that is here is named; of several the nearest.
func TestNearestEdition(t *testing.T) {
	dir := t.TempDir()
	edition := func(name string, change func(b []byte)) {
		b := bytes.Clone(romstest.Save)
		change(b)
		binary.LittleEndian.PutUint16(b[0x15e:], banner.CRC16(b[:0x15e]))
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	edition("american-0.nds", func(b []byte) { b[0x0f] = 'E'; b[0x1e] = 1 })
	edition("european.nds", func(b []byte) { b[0x0f] = 'P' })
	edition("other.nds", func(b []byte) { copy(b[0x0c:], "XQQE") })
	rooms := model.ROM(t, romstest.Save)
	wanted := []room.ROMID{ID(rooms), ID(model.ROM(t, romstest.Draw3D))}
	find := func(own ...*emucore.ROM) Found {
		return Search{Own: own, Library: emucore.NewLibrary([]string{dir})}.Find(t.Context(), wanted)
	}
	f := find()
	if len(f.Missing) != 2 || len(f.Near) != 1 || f.Near[0].Of != rooms.SHA256 {
		t.Fatalf("%+v", f)
	}
	if words := room.DiffersWords("yours", f.Near[0].Game, wanted[0]); words != "yours is revision 1, the room's is 0" {
		t.Error(words)
	}
	must.Succeed(t, os.Remove(filepath.Join(dir, "american-0.nds")))
	if f = find(); len(f.Near) != 1 || !strings.Contains(room.DiffersWords("yours", f.Near[0].Game, wanted[0]), "European") {
		t.Errorf("%+v", f.Near)
	}
	if f = find(rooms); len(f.Missing) != 1 || len(f.Near) != 0 {
		t.Errorf("%+v", f)
	}
}
