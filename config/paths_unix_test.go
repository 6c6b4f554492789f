//go:build unix

package config

import (
	"reflect"
	"strings"
	"testing"
)

func TestPaths(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	for xdg, want := range map[string]string{
		"":       "/home/ada/.config/nettplay/config.toml",
		"/x/cfg": "/x/cfg/nettplay/config.toml",
		"rel":    "/home/ada/.config/nettplay/config.toml",
	} {
		t.Setenv("XDG_CONFIG_HOME", xdg)
		if got, err := Path(); err != nil || got != want {
			t.Errorf("Path() with XDG_CONFIG_HOME=%q is %q, %v, want %q", xdg, got, err, want)
		}
	}
	t.Setenv("XDG_DATA_HOME", "")
	for folder, want := range map[string]string{
		"":      "/home/ada/.local/share/nettplay/recordings",
		"~/rec": "/home/ada/rec",
		"/rec":  "/rec",
	} {
		if got, err := (Recording{Folder: folder}).Dir(); err != nil || got != want {
			t.Errorf("Dir() of %q = %q, %v, want %q", folder, got, err, want)
		}
	}
	got, err := ExpandAll([]string{"~", "~/a/b", "/c", "~d", "e/~"})
	want := []string{"/home/ada", "/home/ada/a/b", "/c", "~d", "e/~"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("ExpandAll = %v, %v, want %v", got, err, want)
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	if _, err := ExpandAll([]string{"/c", "~/a"}); err == nil || !strings.Contains(err.Error(), "~/a") {
		t.Errorf("ExpandAll without a home: %v", err)
	}
	if _, err := Path(); err == nil {
		t.Error("Path without a home is no error")
	}
	if _, err := (Recording{}).Dir(); err == nil {
		t.Error("Dir without a home is no error")
	}
}

func TestData(t *testing.T) {
	t.Setenv("HOME", "/home/ann")
	for set, want := range map[string]string{
		"":         "/home/ann/.local/share/nettplay/",
		"relative": "/home/ann/.local/share/nettplay/",
		"/data":    "/data/nettplay/",
	} {
		t.Setenv("XDG_DATA_HOME", set)
		places, err := Data()
		if err != nil || places.Saves != want+"saves" || places.Desyncs != want+"desyncs" || places.KnownKeys != want+"known-keys" {
			t.Errorf("%q: %+v, %v", set, places, err)
		}
	}
}
