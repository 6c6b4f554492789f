package corestore

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/fixture"
)

const so = "melondsds" + librarySuffix

// entry makes an archive with one more file of a mode or a method.
func entry(header zip.FileHeader, text string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(so)
	if err == nil {
		_, err = w.Write([]byte("core"))
	}
	if err == nil {
		w, err = z.CreateHeader(&header)
	}
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func withMode(name string, mode fs.FileMode, text string) []byte {
	h := zip.FileHeader{Name: name}
	h.SetMode(mode)
	return entry(h, text)
}

// TestArchives: exactly one core of the right name, amid files that do no harm.
func TestArchives(t *testing.T) {
	core := []byte("core")
	good := fixture.ReleaseZip(fixture.Core{Name: "melondsds", Version: "1", Library: core})
	for name, tt := range map[string]struct {
		archive []byte
		want    string // "" for a good one
	}{
		"alone":                {fixture.ZipOf(so, core), ""},
		"a release's":          {good, ""},
		"with a comment":       {append(append([]byte(nil), good[:len(good)-2]...), 3, 0, 'a', 'b', 'c'), ""},
		"nothing":              {nil, "not a zip file"},
		"a text":               {[]byte(strings.Repeat("text", 100)), "not a zip file"},
		"no file":              {fixture.ZipOf(), "it has no " + so},
		"another core":         {fixture.ZipOf("desmume"+librarySuffix, core), `its core is "desmume` + librarySuffix + `"`},
		"two of the name":      {fixture.ZipOf("a/"+so, core, "b/"+so, core), "two cores"},
		"two cores":            {fixture.ZipOf(so, core, "desmume"+librarySuffix, core), "two cores"},
		"a way up":             {fixture.ZipOf("../"+so, core), "path"},
		"a way up amid others": {fixture.ZipOf(so, core, "a/../../b", core), "path"},
		"a way up and back":    {fixture.ZipOf(so, core, "a/../b", core), "path"},
		"from the root":        {fixture.ZipOf("/"+so, core), "path"},
		"another system's way": {fixture.ZipOf(so, core, `..\b`, core), "path"},
		"a drive":              {fixture.ZipOf(so, core, "C:b", core), "path"},
		"no name":              {fixture.ZipOf(so, core, "", core), "path"},
		"a link":               {withMode("a", fs.ModeSymlink|0o777, "/etc/passwd"), "such as a link"},
		"a device":             {withMode("a", fs.ModeDevice|fs.ModeCharDevice|0o666, ""), "such as a link"},
		"a pipe":               {withMode("a", fs.ModeNamedPipe|0o666, ""), "such as a link"},
		"a program of root's":  {withMode("a", fs.ModeSetuid|0o755, "x"), "such as a link"},
		"an empty core":        {fixture.ZipOf(so, []byte{}), "allowed are 1 to"},
		"many files":           {fixture.ZipOf(manyFiles()...), "list of files is damaged or too large (101 files"},
		"a long list":          {longList(good), "list of files is damaged or too large"},
		"a list in between":    {append(append([]byte(nil), good...), good[len(good)-22:]...), "list of files is damaged or too large"},
	} {
		f, err := findLibrary(bytes.NewReader(tt.archive), int64(len(tt.archive)), so)
		switch {
		case tt.want == "" && (err != nil || f == nil || f.UncompressedSize64 != 4):
			t.Errorf("%s: %v", name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func manyFiles() (files []any) {
	for range maxEntries + 1 {
		files = append(files, "a", []byte("x"))
	}
	return files
}

// longList makes an archive say that its list of files is longer than it is.
func longList(archive []byte) []byte {
	b := append([]byte(nil), archive...)
	binary.LittleEndian.PutUint32(b[len(b)-10:], maxDirectory+1)
	return b
}

// bomb is an archive whose core says that it has so many bytes, and unpacks to many zeros.
func bomb(says uint64, zeros int) []byte {
	archive := fixture.ZipOf(so, make([]byte, zeros))
	i := bytes.LastIndex(archive, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(archive[i+24:], uint32(says))
	return archive
}

// TestBombs: neither what a core says of its size, nor what it unpacks to, goes beyond the limit.
func TestBombs(t *testing.T) {
	s, c := fetcher(t)
	o := offered(t, c, "melondsds")
	o.Size, o.SHA256 = 0, [32]byte{}
	for name, tt := range map[string]struct {
		archive []byte
		reason  Reason
		why     string
	}{
		"says so":             {bomb(MaxLibrary+1, 1000), TooLarge, "allowed are 1 to"},
		"unpacks to more":     {bomb(1000, 1<<20), NotAnArchive, ""},
		"unpacks to less":     {bomb(1<<20, 1000), NotAnArchive, "damaged zip file"},
		"says that it is all": {bomb(1<<32-1, 1000), TooLarge, ""},
	} {
		s.Break(onPath(".zip", send(tt.archive)))
		_, err := c.Get(t.Context(), o, Want{}, nil)
		fails(t, err, tt.reason, tt.why)
		if left := names(t, c.Store); left != "" {
			t.Errorf("%s: left behind:\n%s", name, left)
		}
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(fixture.ZipOf(so, []byte("core")))
	f.Add(fixture.ReleaseZip(fixture.Core{Name: "melondsds", Version: "1", Library: []byte("core")}))
	f.Add(withMode("a", fs.ModeSymlink, "b"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		file, err := findLibrary(bytes.NewReader(archive), int64(len(archive)), so)
		if err == nil && (file.UncompressedSize64 > MaxLibrary || !strings.HasSuffix(file.Name, so) || !file.Mode().IsRegular()) {
			t.Errorf("found %q of %d bytes, %v", file.Name, file.UncompressedSize64, file.Mode())
		}
	})
}
