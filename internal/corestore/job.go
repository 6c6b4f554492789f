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

	"github.com/nettplay/nettplay/emucore"
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

// Want says which build Get may keep.
type Want struct {
	SHA256 [32]byte // of the library; zero for any
}

// Get fetches an offer, checks it and keeps it. The caller has asked the player. Progress is
// called on this goroutine and may be nil. Errors are a [*Failure], unless ctx has ended;
// then nothing is kept. A build that is kept already, see [Store.Has], is not fetched again.
func (c *Client) Get(ctx context.Context, o Offer, want Want, progress func(Progress)) (Build, error) {
	if progress == nil {
		progress = func(Progress) {}
	}
	if b, ok := c.Store.Has(o); ok && (want == Want{} || want.SHA256 == b.Core.SHA256) && intact(b) {
		return b, nil
	}
	what := fmt.Sprintf("getting %s from %s", o.Label(), o.Host())
	if !isCore(o.Name) {
		return Build{}, &Failure{Reason: NotACore, What: what, Why: "it is not the name of a DS core"}
	}
	w, err := c.Store.open()
	if err != nil {
		return Build{}, diskFailure(what, c.Store.dir, err)
	}
	defer w.close()
	j := &job{client: c, offer: o, want: want, what: what, shop: w, progress: progress}
	return j.run(ctx)
}

func (j *job) run(ctx context.Context) (Build, error) {
	archive, size, err := j.fetch(ctx)
	if err != nil {
		return Build{}, err
	}
	j.progress(Progress{Stage: Checking})
	lib, err := j.unpack(archive, size)
	archive.Close() // before the folder that it lies in is moved, which Windows does not allow with an open file in it
	if err != nil {
		return Build{}, err
	}
	core, err := j.try(ctx, lib)
	if err != nil {
		return Build{}, err
	}
	b := Build{
		Core: core, Name: j.offer.Name, Fetched: j.client.now().UTC(),
		Origin: Origin{Source: j.offer.Source.String(), URL: j.offer.URL, Version: j.offer.Version, Date: j.offer.Date, CRC32: lib.crc},
	}
	b, err = j.client.Store.keep(j.shop, b)
	if err != nil {
		return Build{}, diskFailure(j.what, j.client.Store.dir, err)
	}
	return b, nil
}

// try looks at the library and runs it in a sealed worker.
func (j *job) try(ctx context.Context, lib library) (emucore.Core, error) {
	if j.want.SHA256 != [32]byte{} && lib.sha != j.want.SHA256 {
		return emucore.Core{}, j.fail(OtherBuild, nil, "the source has another build by now: SHA-256 %x, wanted is %x", lib.sha, j.want.SHA256)
	}
	core, err := j.client.probe(ctx, lib.path)
	var notCore *emucore.NotCoreError
	var start *emucore.StartError
	switch {
	case err == nil && core.SHA256 == lib.sha:
		return core, nil
	case err == nil:
		return core, j.fail(NotACore, nil, "its file changed while it was looked at")
	case ctx.Err() != nil:
		return core, fmt.Errorf("%s: %w", j.what, context.Cause(ctx))
	case errors.As(err, &notCore):
		return core, j.fail(NotACore, err, "%s", notCore.Why)
	case errors.As(err, &start):
		return core, j.fail(NotACore, err, "it cannot be loaded on this computer: %s", start.Why)
	case is[*emucore.CrashError](err):
		return core, j.fail(NotACore, err, "it crashes when it is asked its name")
	case is[*emucore.HangError](err):
		return core, j.fail(NotACore, err, "it gives no answer when it is asked its name")
	}
	return core, j.fail(NotTried, err, "it could not be tried on this computer: %v", err)
}
