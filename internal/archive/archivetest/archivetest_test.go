package archivetest

import (
	"bytes"
	"io"
	"testing"

	"github.com/nettplay/nettplay/internal/archive"
	"github.com/nettplay/nettplay/internal/must"
)

// What is packed is unpacked.
func TestPack(t *testing.T) {
	files := []File{{"a.nds", []byte("first")}, {"ordner/Ü.nds", bytes.Repeat([]byte("second"), 100)}}
	for _, b := range [][]byte{Zip(files...), Seven(files...), Zip(files[0]), Seven(files[0])} {
		a, err := archive.Open(bytes.NewReader(b), int64(len(b)))
		must.Succeed(t, err)
		for i := range a.Entries {
			r, err := a.Entries[i].Open(t.Context())
			must.Succeed(t, err)
			got, err := io.ReadAll(r)
			if err != nil || a.Entries[i].Name != files[i].Name || !bytes.Equal(got, files[i].Data) {
				t.Errorf("%s: %q, %v", a.Entries[i].Name, got, err)
			}
		}
	}
}
