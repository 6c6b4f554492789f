// Package speech has the computer's speech-dispatcher say texts, by its protocol SSIP over a socket. What it says is the
// newest alone: a text that was not begun when the next one comes is left out, and one that is being said ends.
//
// Nothing here waits for the other side but a goroutine of its own. A server that is not there, does not answer or answers
// anything else costs that text, and nothing more.
package speech

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits.
const (
	maxText  = 500             // letters of a text
	maxLine  = 4096            // bytes of a line of an answer
	maxLines = 32              // of an answer
	patience = 3 * time.Second // with the server, for a text
)

// Speaker says texts. All methods may be called from any goroutine.
type Speaker struct {
	dial func(ctx context.Context) (net.Conn, error)
	stop context.CancelFunc
	done chan struct{}
	news chan struct{} // has room for one

	mu     sync.Mutex
	wanted *said // the newest text that was not taken yet
}

type said struct{ language, text string }

// Open begins with the server of this session, which need not run, nor be installed.
func Open() *Speaker { return open(dialServer) }

// dialServer starts the server where it does not run: nothing else does but its clients, and without any it ends itself after
// some seconds (findings/speech-dispatcher-runs-for-who-starts-it.sh).
func dialServer(ctx context.Context) (net.Conn, error) {
	path := Socket()
	if path == "" {
		return nil, errors.New("there is no folder for the sockets of this session")
	}
	var d net.Dialer
	if conn, err := d.DialContext(ctx, "unix", path); err == nil {
		return conn, nil
	}
	// It is back once the server listens. That it fails is nothing: another client may have been quicker.
	_ = exec.CommandContext(ctx, "speech-dispatcher", "--spawn", "--socket-path", path).Run()
	return d.DialContext(ctx, "unix", path)
}

// Socket is where speech-dispatcher listens, "" for nowhere.
func Socket() string {
	if path, ok := strings.CutPrefix(os.Getenv("SPEECHD_ADDRESS"), "unix_socket:"); ok {
		return path
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "speech-dispatcher", "speechd.sock")
}

func open(dial func(ctx context.Context) (net.Conn, error)) *Speaker {
	life, stop := context.WithCancel(context.Background())
	s := &Speaker{dial: dial, stop: stop, done: make(chan struct{}), news: make(chan struct{}, 1)}
	go s.run(life)
	return s
}

// Say says a text, in a language by its code, as soon as the server takes it. It does not wait.
func (s *Speaker) Say(language, text string) {
	text = clean(text)
	if text == "" {
		return
	}
	s.mu.Lock()
	s.wanted = &said{language, text}
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// Close ends it, and waits for that.
func (s *Speaker) Close() {
	s.stop()
	<-s.done
}

// clean makes one line of a text, of letters that can be said.
func clean(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		switch {
		case r == utf8.RuneError || unicode.Is(unicode.Cf, r):
			continue
		case unicode.IsControl(r):
			r = ' '
		}
		if n++; n > maxText {
			break
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (s *Speaker) take() *said {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.wanted
	s.wanted = nil
	return w
}

// run takes texts until the end. The line to the server stays while it works.
func (s *Speaker) run(life context.Context) {
	defer close(s.done)
	var l *line
	defer func() { l.close() }()
	for {
		select {
		case <-life.Done():
			return
		case <-s.news:
		}
		w := s.take()
		if w == nil {
			continue
		}
		if l == nil {
			l = s.connect(life)
		}
		if l != nil && l.say(*w) != nil {
			l.close()
			l = nil // the next text tries again
		}
	}
}

// line is a connection to the server.
type line struct {
	conn     net.Conn
	in       *bufio.Reader
	language string
	free     func() bool
}

// connect opens one, nil where there is none.
func (s *Speaker) connect(life context.Context) *line {
	ctx, done := context.WithTimeout(life, patience)
	defer done()
	conn, err := s.dial(ctx)
	if err != nil {
		return nil
	}
	l := &line{conn: conn, in: bufio.NewReaderSize(conn, maxLine), free: context.AfterFunc(life, func() { conn.Close() })}
	if l.begin() != nil {
		l.close()
		return nil
	}
	return l
}

func (l *line) close() {
	if l != nil {
		l.free()
		l.conn.Close()
	}
}

func (l *line) begin() error {
	_ = l.conn.SetDeadline(time.Now().Add(patience))
	return l.ask("SET self CLIENT_NAME user:nettplay:window", "2")
}

// say says a text in the place of what is being said.
func (l *line) say(w said) error {
	_ = l.conn.SetDeadline(time.Now().Add(patience))
	if err := l.ask("CANCEL self", "2"); err != nil {
		return err
	}
	if w.language != l.language {
		// A server without a voice for it goes on with the one that it has.
		if err := l.ask("SET self LANGUAGE "+w.language, ""); err != nil {
			return err
		}
		l.language = w.language
	}
	if err := l.ask("SPEAK", "230"); err != nil {
		return err
	}
	text := w.text
	if strings.HasPrefix(text, ".") {
		text = "." + text // one dot alone would be the end
	}
	return l.ask(text+"\r\n.", "2")
}

// ask sends a line, and reads the answer, whose number begins with digits.
func (l *line) ask(text, digits string) error {
	if _, err := l.conn.Write([]byte(text + "\r\n")); err != nil {
		return fmt.Errorf("asking the speech server: %w", err)
	}
	for range maxLines {
		b, err := l.in.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("the speech server's answer: %w", err)
		}
		if len(b) < 4 || strings.Trim(string(b[:3]), "0123456789") != "" || b[3] != ' ' && b[3] != '-' {
			return fmt.Errorf("the speech server's answer has no number: %.40q", b)
		}
		if b[3] == '-' {
			continue // more lines follow
		}
		if !strings.HasPrefix(string(b[:3]), digits) {
			return fmt.Errorf("the speech server refuses: %.80q", b)
		}
		return nil
	}
	return fmt.Errorf("the speech server's answer has more than %d lines", maxLines)
}
