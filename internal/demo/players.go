package demo

import (
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
)

// MaxPlayers is the limit of processes that play.
const MaxPlayers = 4

var names = [MaxPlayers]string{"Ann", "Bob", "Cleo", "Dan"}

// args is the command line of one player's process.
func (d Config) args(i int, work string, port int) []string {
	args := []string{"host", filepath.Join(work, "pad.nds"), "--port", strconv.Itoa(port), "--players", strconv.Itoa(d.Players), "--delay", strconv.Itoa(d.Delay)}
	if i > 0 {
		args = []string{"join", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), "--rom", filepath.Join(work, "pad.nds")}
	}
	if d.Core != "" {
		args = append(args, "--core", d.Core)
	}
	return append(args,
		"--headless", "--no-record", "--name", names[i], "--speed", d.Speed, "--frames", strconv.FormatInt(d.Frames, 10),
		"--config", filepath.Join(work, fmt.Sprintf("config-%d.toml", i)),
		"--input", filepath.Join(work, fmt.Sprintf("input-%d.txt", i)),
		"--report", d.report(i), "--screenshot", d.picture(i))
}

func (d Config) report(i int) string {
	return filepath.Join(d.Out, strings.ToLower(names[i])+".json")
}

func (d Config) picture(i int) string {
	return filepath.Join(d.Out, strings.ToLower(names[i])+".png")
}
