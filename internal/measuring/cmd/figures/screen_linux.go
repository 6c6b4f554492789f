package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// screen is an X server whose picture lies in a file.
type screen struct {
	server *exec.Cmd
	name   string // for DISPLAY
	home   string // of the programs
	user   uint32 // who starts them, 0 for the same user
	pixels []byte // of the screen, four bytes each; shared with the server
}

// How large the screen is.
const width, height = 1280, 800

func newScreen(home string, user uint32) (*screen, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	s := &screen{home: home, user: user}
	s.server = exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-fbdir", home, "-nolisten", "tcp", "-ac")
	s.server.ExtraFiles = []*os.File{write}
	err = s.server.Start()
	write.Close()
	if err != nil {
		return nil, err
	}
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		s.close()
		return nil, fmt.Errorf("the server of a display, Xvfb, does not start: %w", err)
	}
	s.name = ":" + strings.TrimSpace(number)
	if s.pixels, err = mapped(filepath.Join(home, "Xvfb_screen0")); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// mapped is the part with the picture of a file of xwd's format: a header of 32-bit numbers, colours, pixels.
func mapped(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	all, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	at := int(binary.BigEndian.Uint32(all)) + 12*int(binary.BigEndian.Uint32(all[76:]))
	if at+4*width*height > len(all) {
		return nil, errors.New("the picture of the display is too short")
	}
	return all[at : at+4*width*height], nil
}

func (s *screen) close() {
	_ = s.server.Process.Signal(syscall.SIGTERM)
	_ = s.server.Wait()
}

// colours counts those on the screen, counted on every fourth pixel of every fourth row, up to some.
func (s *screen) colours(most int) int {
	seen := map[uint32]bool{}
	for y := 0; y < height; y += 4 {
		for x := 0; x < width; x += 4 {
			seen[binary.LittleEndian.Uint32(s.pixels[4*(y*width+x):])&0xffffff] = true
			if len(seen) >= most {
				return most
			}
		}
	}
	return len(seen)
}

// starts is how often a window is started. The first time fills the disk's cache, and does not count.
const starts = 7

// enough colours are a picture: an empty screen has one, a window in the making two or three.
const enough = 12

// patience is the time that a picture may take.
const patience = 30 * time.Second

// run starts a program, several times if it has a window, and looks at the memory in the end.
func (s *screen) run(c call) (r result, err error) {
	times := 1
	if c.name == "idle" {
		times = starts
	}
	for n := range times {
		began := time.Now()
		cmd := exec.Command(c.args[0], c.args[1:]...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "LC_ALL=C.UTF-8", "DISPLAY=" + s.name, "SDL_AUDIODRIVER=dummy", "XDG_RUNTIME_DIR=" + s.home}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if s.user != 0 {
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: s.user, Gid: s.user}
		}
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			return r, err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if c.name == "idle" {
			for s.colours(enough) < enough {
				select {
				case err := <-ended:
					return r, fmt.Errorf("it has ended: %w\n%s", err, &said)
				case <-time.After(2 * time.Millisecond):
				}
				if time.Since(began) > patience {
					_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
					return r, errors.New("no picture comes")
				}
			}
			if n > 0 {
				r.first = append(r.first, time.Since(began))
			}
		}
		if n == times-1 {
			time.Sleep(c.wait)
			r.pss, r.rss = memory(cmd.Process.Pid)
		}
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(patience):
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			return r, errors.New("it does not end")
		}
		for began := time.Now(); s.colours(enough) >= enough; time.Sleep(10 * time.Millisecond) {
			if time.Since(began) > patience {
				return r, errors.New("its window stays")
			}
		}
	}
	if r.pss == 0 {
		return r, errors.New("it was gone before its memory was looked at")
	}
	return r, nil
}

// memory is that of a process and all below it, in bytes.
func memory(pid int) (pss, rss int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[2] != "kB" {
			continue
		}
		kB, _ := strconv.ParseInt(f[1], 10, 64)
		switch f[0] {
		case "Pss:":
			pss += kB << 10
		case "Rss:":
			rss += kB << 10
		}
	}
	children, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, path := range children {
		list, _ := os.ReadFile(path)
		for _, child := range strings.Fields(string(list)) {
			n, _ := strconv.Atoi(child)
			p, r := memory(n)
			pss, rss = pss+p, rss+r
		}
	}
	return pss, rss
}
