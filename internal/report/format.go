package report

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/ds"
)

// Bundle is a desync report, open for reading.
type Bundle struct {
	Verdict Verdict
	Rerun   *RerunFile // nil if the recording was not played again where it was made
	Log     string     // a file with the recording, until Close; "" if there is none

	dir string
}

// ErrNotABundle says that a file is something else.
var ErrNotABundle = errors.New("this is no desync report")

// Limits of what Open reads of a bundle, in bytes.
const (
	maxVerdict   = 1 << 20
	maxRerunFile = 64 << 20
	maxLog       = 512 << 20
	maxFrames    = 1 << 20 // that a rerun can have hashed
)

// Open reads a bundle, which may come from anybody. The recording is put into a
// temporary file.
func Open(path string) (_ *Bundle, err error) {
	f, size, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zip.NewReader(f, size)
	if errors.Is(err, zip.ErrFormat) {
		return nil, fmt.Errorf("%s: %w", path, ErrNotABundle)
	}
	if err != nil {
		return nil, err
	}
	b := &Bundle{}
	defer func() {
		if err != nil {
			b.Close()
			err = fmt.Errorf("bug report %s: %w", path, err)
		}
	}()
	raw, err := part(z, VerdictName, maxVerdict)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotABundle, err)
	}
	if b.Verdict, err = decodeVerdict(raw); err != nil {
		return nil, err
	}
	if raw, err = part(z, RerunName, maxRerunFile); err == nil {
		if b.Rerun, err = decodeRerun(raw); err != nil {
			return nil, err
		}
	}
	return b, b.extract(z)
}

// Close removes the temporary file.
func (b *Bundle) Close() error {
	if b.dir == "" {
		return nil
	}
	return os.RemoveAll(b.dir)
}

// find is a part by its name.
func find(z *zip.Reader, name string) *zip.File {
	for _, f := range z.File {
		if f.Name == name {
			return f
		}
	}
	return nil
}

var errMissing = errors.New("it is not there")

// part returns a whole part; see unpack.
func part(z *zip.Reader, name string, limit int64) ([]byte, error) {
	var b bytes.Buffer
	err := unpack(&b, z, name, limit)
	return b.Bytes(), err
}

// unpack copies a part of at most limit bytes, whatever the zip file says of it.
func unpack(to io.Writer, z *zip.Reader, name string, limit int64) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	f := find(z, name)
	if f == nil {
		return errMissing
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	n, err := io.Copy(to, io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("it has more than %d bytes", limit)
	}
	return err
}

// extract copies the recording out, if there is one.
func (b *Bundle) extract(z *zip.Reader) (err error) {
	if find(z, LogName) == nil {
		return nil
	}
	if b.dir, err = os.MkdirTemp("", "nettplay-bundle-"); err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(b.dir, LogName))
	if err != nil {
		return err
	}
	b.Log = out.Name()
	return errors.Join(unpack(out, z, LogName, maxLog), out.Close())
}

func decodeVerdict(raw []byte) (v Verdict, err error) {
	if err := json.Unmarshal(raw, &v); err != nil {
		return v, fmt.Errorf("%s: %w", VerdictName, err)
	}
	switch {
	case v.Format != Format:
		return v, fmt.Errorf("%s: format %d, this version of nettplay reads %d", VerdictName, v.Format, Format)
	case v.Frame < 0 || v.Frame > ds.MaxFrame || v.Agreed < -1 || v.Agreed > v.Frame:
		return v, fmt.Errorf("%s: frame %d after frame %d", VerdictName, v.Frame, v.Agreed)
	case v.Seat < 0 || v.Seat >= ds.MaxSeats:
		return v, fmt.Errorf("%s: seat %v", VerdictName, v.Seat)
	}
	return v, nil
}

func decodeRerun(raw []byte) (*RerunFile, error) {
	r := new(RerunFile)
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, fmt.Errorf("%s: %w", RerunName, err)
	}
	switch {
	case r.Format != Format:
		return nil, fmt.Errorf("%s: format %d, this version of nettplay reads %d", RerunName, r.Format, Format)
	case r.From < 0 || r.To <= r.From || r.To > ds.MaxFrame || r.To-r.From > maxFrames:
		return nil, fmt.Errorf("%s: frames %d to %d", RerunName, r.From, r.To)
	case len(r.Seats) > ds.MaxSeats:
		return nil, fmt.Errorf("%s: %d seats", RerunName, len(r.Seats))
	}
	for _, s := range r.Seats {
		if int64(len(s.Hashes)) > r.To-r.From {
			return nil, fmt.Errorf("%s: %d hashes of seat %v in %d frames", RerunName, len(s.Hashes), s.Seat, r.To-r.From)
		}
	}
	return r, nil
}
