package speech

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// server answers as speech-dispatcher does, and tells what it heard.
type server struct {
	t      *testing.T
	dialed chan net.Conn
	heard  chan string
}

func newServer(t *testing.T) (*server, *Speaker) {
	s := &server{t: t, dialed: make(chan net.Conn, 10), heard: make(chan string, 1000)}
	speaker := open(func(context.Context) (net.Conn, error) {
		ours, theirs := net.Pipe()
		s.dialed <- theirs
		return ours, nil
	})
	t.Cleanup(speaker.Close)
	return s, speaker
}

// conn is the next connection that the speaker opens.
func (s *server) conn() net.Conn {
	s.t.Helper()
	select {
	case c := <-s.dialed:
		return c
	case <-time.After(time.Minute):
		s.t.Fatal("nobody connects")
		return nil
	}
}

// serve answers until the connection ends; answer may say something else than usual.
func (s *server) serve(c net.Conn, answer func(line string) string) {
	in := bufio.NewReader(c)
	data := false
	for {
		text, err := in.ReadString('\n')
		if err != nil {
			return
		}
		text = strings.TrimSuffix(text, "\r\n")
		s.heard <- text
		reply := "208 OK\r\n"
		switch {
		case text == "SPEAK":
			data, reply = true, "230 OK RECEIVING DATA\r\n"
		case data && text == ".":
			data, reply = false, "225-17\r\n225 OK MESSAGE QUEUED\r\n"
		case data:
			continue
		}
		if answer != nil {
			if own := answer(text); own != "" {
				reply = own
			}
		}
		if _, err := c.Write([]byte(reply)); err != nil {
			return
		}
	}
}

func (s *server) next() string {
	s.t.Helper()
	select {
	case text := <-s.heard:
		return text
	case <-time.After(time.Minute):
		s.t.Fatal("nothing is heard")
		return ""
	}
}

func (s *server) hears(want ...string) {
	s.t.Helper()
	var got []string
	for range want {
		got = append(got, s.next())
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("heard %q, not %q", got, want)
	}
}

func TestSay(t *testing.T) {
	s, speaker := newServer(t)
	speaker.Say("en", "Host,\nopen a room")
	go s.serve(s.conn(), nil)
	s.hears("SET self CLIENT_NAME user:nettplay:window", "CANCEL self", "SET self LANGUAGE en", "SPEAK", "Host, open a room", ".")
	speaker.Say("en", "")
	speaker.Say("en", ".")
	s.hears("CANCEL self", "SPEAK", "..", ".")
	speaker.Say("ja", "設定")
	s.hears("CANCEL self", "SET self LANGUAGE ja", "SPEAK", "設定", ".")
}

// TestNewestIsSaid: who is slow to take texts gets the newest, and Say waits for nobody.
func TestNewestIsSaid(t *testing.T) {
	s, speaker := newServer(t)
	speaker.Say("en", "first")
	c := s.conn() // which nobody reads yet
	for range 1000 {
		speaker.Say("en", "between")
	}
	speaker.Say("en", "last")
	go s.serve(c, nil)
	said := map[string]int{}
	for said["last"] == 0 {
		said[s.next()]++
	}
	if said["between"] > 0 || said["first"] != 1 {
		t.Errorf("said is %v", said)
	}
}

// TestBadServers: an answer that is none, too long or without end, or a refusal, ends the connection, and the next text opens
// another.
func TestBadServers(t *testing.T) {
	for name, bad := range map[string]string{
		"words": "hello there\r\n", "no number": "2x8 OK\r\n", "a long line": strings.Repeat("2", 2*maxLine) + "\r\n",
		"many lines": strings.Repeat("208-more\r\n", 2*maxLines), "a refusal": "403 ERR NO\r\n", "an empty line": "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s, speaker := newServer(t)
			speaker.Say("en", "first")
			c := s.conn()
			go s.serve(c, func(text string) string {
				if text == "SPEAK" {
					return bad
				}
				return ""
			})
			for s.next() != "SPEAK" {
			}
			_, err := c.Write([]byte{0}) // until the other side closes it
			for err == nil {
				_, err = c.Write([]byte{0})
			}
			speaker.Say("en", "second")
			go s.serve(s.conn(), nil)
			for s.next() != "second" {
			}
		})
	}
}

// TestNoServer: without one nothing happens, and a silent one does not keep Close waiting.
func TestNoServer(t *testing.T) {
	tried := make(chan bool, 10)
	speaker := open(func(context.Context) (net.Conn, error) {
		tried <- true
		return nil, errors.New("no such file")
	})
	for range 2 {
		speaker.Say("en", "anything")
		<-tried
	}
	speaker.Close()

	s, silent := newServer(t)
	silent.Say("en", "anything")
	s.conn()
	silent.Close()
}

// A server that does not run is started, in the way of its own library.
func TestStartsTheServer(t *testing.T) {
	must.HaveLinux(t, "a script in place of speech-dispatcher")
	run, bin := t.TempDir(), t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv("SPEECHD_ADDRESS", "")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	called, path := filepath.Join(bin, "called"), Socket()
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >%s\nuntil [ -S %s ]; do sleep 0.01; done\n", called, path)
	must.Succeed(t, os.WriteFile(filepath.Join(bin, "speech-dispatcher"), []byte(script), 0o700))
	s := &server{t: t, heard: make(chan string, 1000)}
	speaker := Open()
	t.Cleanup(speaker.Close)
	speaker.Say("en", "Hello")
	for {
		if b, _ := os.ReadFile(called); strings.HasSuffix(string(b), "\n") {
			if want := "--spawn --socket-path " + path + "\n"; string(b) != want {
				t.Fatalf("it was called with %q", b)
			}
			break
		}
		time.Sleep(time.Millisecond)
	}
	must.Succeed(t, os.Mkdir(filepath.Dir(path), 0o700))
	l, err := net.Listen("unix", path)
	must.Succeed(t, err)
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(conn, nil)
		}
	}()
	for text := ""; text != "Hello"; {
		speaker.Say("en", "Hello") // again: on a busy machine the start may take longer than a text waits
		select {
		case text = <-s.heard:
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"  a\r\n.\r\nb ": "a . b", "\u2060\xffx": "x", strings.Repeat("あ", 2*maxText): strings.Repeat("あ", maxText), "\x00\n": "",
	} {
		if got := clean(text); got != want {
			t.Errorf("%.20q is %.20q", text, got)
		}
	}
}

func TestSocket(t *testing.T) {
	must.HaveLinux(t, "where speech-dispatcher is")
	t.Setenv("SPEECHD_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	if got := Socket(); got != "/run/user/7/speech-dispatcher/speechd.sock" {
		t.Error(got)
	}
	t.Setenv("SPEECHD_ADDRESS", "unix_socket:/tmp/s")
	if got := Socket(); got != "/tmp/s" {
		t.Error(got)
	}
	t.Setenv("SPEECHD_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	if got := Socket(); got != "" {
		t.Error(got)
	}
}
