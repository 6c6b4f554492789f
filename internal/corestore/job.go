package corestore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/internal/disk"
)

// Stage is Get's present work.
type Stage int

// The stages.
const (
	Loading  Stage = iota // bytes of the archive arrive
	Checking              // the core is unpacked, looked at and run
)

// Progress is that of Get.
type Progress struct {
	Stage       Stage
	Done, Total int64 // bytes, while loading; Total 0 where nobody knows
}

// A job is one run of Get.
type job struct {
	client   *Client
	offer    Offer
	want     Want
	what     string
	shop     *workshop
	progress func(Progress)
}

// fail is a failure of this job.
func (j *job) fail(reason Reason, err error, format string, args ...any) error {
	return &Failure{Reason: reason, Host: j.offer.Host(), What: j.what, Why: fmt.Sprintf(format, args...), Err: err}
}

// path is where a file of the build that is being got lies.
func (j *job) path(name string) string { return filepath.Join(j.shop.dir, name) }

// fetch gets the archive into a file without a name, which is gone when it is closed.
func (j *job) fetch(ctx context.Context) (_ *os.File, size int64, err error) {
	t, err := j.client.send(ctx, j.what, http.MethodGet, j.offer.Source, j.offer.URL, plain())
	if err != nil {
		return nil, 0, err
	}
	defer t.close()
	limit, told := int64(MaxArchive), t.answer.ContentLength
	if j.offer.Size > 0 {
		limit = min(limit, j.offer.Size)
	}
	switch {
	case told > MaxArchive:
		return nil, 0, tooLarge(j.what, t.host, told)
	case told >= 0 && j.offer.Size > 0 && told != j.offer.Size:
		return nil, 0, j.fail(Altered, nil, "the archive has %d bytes, and the source announced %d", told, j.offer.Size)
	case told < 0:
		told = j.offer.Size
	}
	f, err := disk.Nameless(j.shop.dir)
	if err != nil {
		return nil, 0, diskFailure(j.what, j.shop.dir, err)
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	sum := sha256.New()
	counted := &counter{w: io.MultiWriter(j.client.Store.wrap(f), sum), total: told, progress: j.progress}
	size, err = io.Copy(counted, io.LimitReader(t, limit+1))
	switch {
	case errors.Is(err, errWrite):
		return nil, 0, diskFailure(j.what, j.shop.dir, err)
	case err != nil:
		return nil, 0, netFailure(t.ctx, j.what, t.host, err)
	case size > limit && limit < MaxArchive:
		return nil, 0, j.fail(TooLarge, nil, "more comes than the %s that the source announced", amount(limit))
	case size > limit:
		return nil, 0, tooLarge(j.what, t.host, size)
	case j.offer.Size > 0 && size != j.offer.Size:
		return nil, 0, j.fail(Altered, nil, "the archive has %d bytes, and the source announced %d", size, j.offer.Size)
	case j.offer.SHA256 != [32]byte{} && [32]byte(sum.Sum(nil)) != j.offer.SHA256:
		return nil, 0, j.fail(Altered, nil, "the archive's SHA-256 is %x, and the source announced %x", sum.Sum(nil), j.offer.SHA256)
	}
	return f, size, nil
}

// errWrite marks errors of the disk among those of a copy.
var errWrite = errors.New("write")

// counter tells how much was written.
type counter struct {
	w           io.Writer
	done, total int64
	progress    func(Progress)
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.done += int64(n)
	c.progress(Progress{Stage: Loading, Done: c.done, Total: c.total})
	if err != nil {
		err = fmt.Errorf("%w: %w", errWrite, err)
	}
	return n, err
}
