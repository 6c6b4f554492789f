package film

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// ErrNoFFmpeg tells that an .mp4 cannot be written here.
var ErrNoFFmpeg = errors.New("an .mp4 needs ffmpeg, which is not installed")

// HasFFmpeg reports whether an .mp4 can be written here.
func HasFFmpeg() bool {
	_, err := exec.LookPath("ffmpeg")
	return err == nil
}

// encoder is ffmpeg. It gets the pictures while they are made; the sound, whose rate
// is known only at the end, is joined to them then, without looking at the pictures
// again.
type encoder struct {
	ctx    context.Context
	cmd    *exec.Cmd
	in     io.WriteCloser
	stderr strings.Builder
}

// startEncoder begins to encode pictures into an .mp4.
func startEncoder(ctx context.Context, path string) (*encoder, error) {
	if !HasFFmpeg() {
		return nil, ErrNoFFmpeg
	}
	e := &encoder{ctx: ctx}
	e.cmd = exec.CommandContext(ctx, "ffmpeg", "-y", "-loglevel", "error", "-f", "yuv4mpegpipe", "-i", "-",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-pix_fmt", "yuv420p", path)
	e.cmd.Stderr = &e.stderr
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := e.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting ffmpeg: %w", err)
	}
	return e, nil
}

// wait waits until all pictures that came are encoded.
func (e *encoder) wait() error {
	if err := e.cmd.Wait(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, strings.TrimSpace(e.stderr.String()))
	}
	return nil
}

// join makes one file of pictures and sound.
func (e *encoder) join(pictures, sound, path string) error {
	out, err := exec.CommandContext(e.ctx, "ffmpeg", "-y", "-loglevel", "error", "-i", pictures, "-f", "wav", "-i", sound,
		"-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", "-b:a", "160k", "-movflags", "+faststart", path).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}
