package main

import (
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
)

// maxDemoPlayers is the limit of processes that play.
const maxDemoPlayers = 4

var demoNames = [maxDemoPlayers]string{"Ann", "Bob", "Cleo", "Dan"}

// args is the command line of one player's process.
func (d demoGame) args(i int, work string, port int) []string {
	args := []string{"host", filepath.Join(work, "pad.nds"), "--port", strconv.Itoa(port), "--players", strconv.Itoa(d.Players), "--delay", strconv.Itoa(d.Delay)}
	if i > 0 {
		args = []string{"join", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), "--rom", filepath.Join(work, "pad.nds")}
	}
	if d.Core != "" {
		args = append(args, "--core", d.Core)
	}
	return append(args,
		"--headless", "--no-record", "--name", demoNames[i], "--speed", d.Speed, "--frames", strconv.FormatInt(d.Frames, 10),
		"--config", filepath.Join(work, fmt.Sprintf("config-%d.toml", i)),
		"--input", filepath.Join(work, fmt.Sprintf("input-%d.txt", i)),
		"--report", d.report(i), "--screenshot", d.picture(i))
}

func (d demoGame) report(i int) string {
	return filepath.Join(d.Out, strings.ToLower(demoNames[i])+".json")
}

func (d demoGame) picture(i int) string {
	return filepath.Join(d.Out, strings.ToLower(demoNames[i])+".png")
}
