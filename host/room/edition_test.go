package room

import "testing"

// What differs in two editions of a game is said, the most telling first.
func TestDiffersWords(t *testing.T) {
	rooms := ROMID{Title: "Kart", Size: 16 << 20, Edition: Edition{Code: "ABCE", Revision: 1}}
	for _, tt := range []struct {
		change func(id *ROMID)
		want   string
		near   int
	}{
		{func(id *ROMID) { id.Edition.Code = "ABCP" }, "theirs is the European version, the room's is the American one", 3},
		{func(id *ROMID) { id.Edition.Code = "ABC9" }, "theirs is the “9” version, the room's is the American one", 3},
		{func(id *ROMID) { id.Edition.Revision = 0 }, "theirs is revision 0, the room's is 1", 4},
		{func(id *ROMID) { id.Edition.Encrypted = true }, "theirs has its secure area encrypted, the room's is dumped decrypted", 5},
		{func(id *ROMID) { id.Size = 512 << 10 }, "theirs is smaller: 512 KiB, the room's has 16 MiB", 5},
		{func(id *ROMID) { id.Size *= 2 }, "theirs is larger: 32 MiB, the room's has 16 MiB", 5},
		{func(id *ROMID) { id.Edition.Patched = true }, "theirs is patched, the room's is not", 5},
		{func(*ROMID) {}, "theirs has the same header and size and another content: one of the two is patched or damaged, or lost its signature for Download Play when it was trimmed", 5},
		{func(id *ROMID) { id.Edition.Code = "XYZE" }, "", 0},
		{func(id *ROMID) { id.Edition.Code = "####" }, "", 0},
	} {
		theirs := rooms
		theirs.SHA256[0] = 1
		tt.change(&theirs)
		if near := theirs.Akin(rooms); near != tt.near {
			t.Errorf("%+v is near by %d, want %d", theirs.Edition, near, tt.near)
		}
		if got := DiffersWords("theirs", theirs, rooms); tt.want != "" && got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	for _, code := range []string{"", "A", "####", "abcé"} { // of whoever makes them up
		e := Edition{Code: code}
		_ = DiffersWords("theirs", ROMID{Edition: e}, rooms)
		if e.named() {
			t.Errorf("%q is a game's code", code)
		}
	}
	homebrew := ROMID{Title: "nettplay pad", Edition: Edition{Code: "####"}}
	if other := (ROMID{Title: "nettplay pad", Edition: Edition{Code: "####", Revision: 2}}); homebrew.Akin(other) == 0 || homebrew.Akin(ROMID{Title: "save"}) != 0 {
		t.Error("homebrew goes by its title")
	}
}
