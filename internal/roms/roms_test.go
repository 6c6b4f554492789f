package roms

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/testing/model"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Own files are found without a library, and a game that nobody has is missing.
func TestFind(t *testing.T) {
	rom := model.ROM(t, romstest.Pad)
	other := room.ROMID{SHA256: [32]byte{1}, Title: "Other"}
	f := Search{Own: []*emucore.ROM{nil, rom}}.Find(t.Context(), []room.ROMID{ID(rom), other, ID(rom)})
	if f.Problem != "" || len(f.ROMs) != 1 || f.ROMs[rom.SHA256] != rom || !slices.Equal(f.Missing, [][32]byte{other.SHA256}) {
		t.Errorf("%+v", f)
	}
}
