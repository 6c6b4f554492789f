package house

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// appID is the program's name on a desktop, the same wherever it is written.
const appID = "io.github.nettplay.nettplay"

// TestDesktopKnowsTheProgram: docks, menus, software centres and file managers find the
// program by one name.
func TestDesktopKnowsTheProgram(t *testing.T) {
	entry := map[string]string{}
	for line := range strings.Lines(read(t, "packaging/desktop/"+appID+".desktop")) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			entry[key] = value
		}
	}
	if entry["StartupWMClass"] != appID || entry["Icon"] != appID {
		t.Errorf("the menu entry has the class %q and the icon %q", entry["StartupWMClass"], entry["Icon"])
	}
	if text := read(t, "internal/ui/window/identity.go"); !strings.Contains(text, fmt.Sprintf("AppID = %q", appID)) {
		t.Error("the window has another name")
	}
	var about struct {
		ID      string   `xml:"id"`
		Desktop string   `xml:"launchable"`
		Types   []string `xml:"provides>mediatype"`
		Images  []string `xml:"screenshots>screenshot>image"`
	}
	parseXML(t, "packaging/desktop/"+appID+".metainfo.xml", &about)
	if about.ID != appID || about.Desktop != appID+".desktop" {
		t.Errorf("the metainfo is of %q, started by %q", about.ID, about.Desktop)
	}
	for _, image := range about.Images {
		if _, path, ok := strings.Cut(image, "/nettplay/nettplay/main/"); !ok || len(read(t, path)) == 0 {
			t.Errorf("%s is no picture of ours", image)
		}
	}
	var mime struct {
		Types []struct {
			Name string `xml:"type,attr"`
			Icon struct {
				Name string `xml:"name,attr"`
			} `xml:"icon"`
		} `xml:"mime-type"`
	}
	parseXML(t, "packaging/desktop/"+appID+".mime.xml", &mime)
	opens := strings.Split(entry["MimeType"], ";")
	for _, kind := range mime.Types {
		// A Flatpak hands out only icons that begin with its name.
		if !strings.HasPrefix(kind.Icon.Name, appID+"-") {
			t.Errorf("%s has the icon %q", kind.Name, kind.Icon.Name)
		}
		if !slices.Contains(opens, kind.Name) || !slices.Contains(about.Types, kind.Name) {
			t.Errorf("%s is not in the menu entry, or not in the metainfo", kind.Name)
		}
	}
	if scheme := "x-scheme-handler/nettplay"; len(mime.Types) < 2 || !slices.Contains(opens, scheme) || !slices.Contains(about.Types, scheme) {
		t.Errorf("the menu entry opens %q, and the metainfo has %q", opens, about.Types)
	}
}

func parseXML(t *testing.T, path string, into any) {
	t.Helper()
	if err := xml.Unmarshal([]byte(read(t, path)), into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// flatpak is the part of a Flatpak's manifest that rules are about.
type flatpak struct {
	ID         string   `json:"id"`
	Runtime    string   `json:"runtime"`
	Version    string   `json:"runtime-version"`
	Sdk        string   `json:"sdk"`
	Extensions []string `json:"sdk-extensions"`
	Command    string   `json:"command"`
	Arguments  []string `json:"finish-args"`
	Cleanup    []string `json:"cleanup"`
	Modules    []struct {
		Name        string `json:"name"`
		Buildsystem string `json:"buildsystem"`
		Options     struct {
			Path string            `json:"append-path"`
			Env  map[string]string `json:"env"`
		} `json:"build-options"`
		Commands []string `json:"build-commands"`
		Sources  []struct {
			Type, URL, Tag, Commit, SHA256 string
		} `json:"sources"`
	} `json:"modules"`
}

// TestFlatpakManifest has the rules of Flathub's linter that this manifest could break, for that
// linter is in no Debian; and no permission is given that docs/install.md does not explain.
func TestFlatpakManifest(t *testing.T) {
	var m flatpak
	strict := json.NewDecoder(strings.NewReader(read(t, filepath.Join("packaging/flatpak", appID+".json"))))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&m); err != nil {
		t.Fatal(err) // such as a field in which nobody would notice --share=network for the build
	}
	if m.ID != appID || m.Command != "nettplay" || m.Runtime != "org.freedesktop.Platform" || m.Sdk != "org.freedesktop.Sdk" || m.Version == "" || len(m.Extensions) != 1 {
		t.Errorf("it is of %q, runs %q, on %s//%s", m.ID, m.Command, m.Runtime, m.Version)
	}
	has := func(arg string) bool { return slices.Contains(m.Arguments, arg) }
	for _, arg := range m.Arguments {
		if !strings.Contains(read(t, "docs/install.md"), "`"+strings.TrimPrefix(arg, "--")+"`") {
			t.Errorf("docs/install.md does not explain %s", arg)
		}
		if path, file := strings.CutPrefix(arg, "--filesystem="); file && !(strings.HasPrefix(path, "~/") && strings.HasSuffix(path, "/retroarch/cores:ro")) {
			t.Errorf("%s is more than the cores of RetroArch", arg)
		}
		if !regexp.MustCompile(`^--(require-version|share|socket|device|filesystem)=`).MatchString(arg) || strings.HasSuffix(arg, "-bus") {
			t.Errorf("%s is not to be given", arg)
		}
	}
	if !has("--socket=wayland") || !has("--socket=fallback-x11") || has("--socket=x11") || !has("--share=ipc") {
		t.Errorf("X11 is for desktops without Wayland, and wants ipc: %q", m.Arguments)
	}
	if has("--device=all") || has("--device=input") != has("--require-version=1.16.0") {
		t.Errorf("controllers want --device=input, which Flatpak 1.16 is the first to know: %q", m.Arguments)
	}
	for _, module := range m.Modules {
		for _, s := range module.Sources {
			ok := s.Type == "git" && s.Tag != "" && len(s.Commit) == 40 || s.Type == "archive" && s.SHA256 == "@SHA256@" // filled in by dist.sh
			if !ok || !strings.HasPrefix(s.URL, "https://") {
				t.Errorf("the source of %s is not named by what is in it: %+v", module.Name, s)
			}
		}
	}
	if n := len(m.Modules); n != 2 || m.Modules[1].Options.Env["GOTOOLCHAIN"] != "local" || !strings.Contains(m.Modules[1].Options.Env["GOFLAGS"], "-mod=vendor") {
		t.Error("nettplay itself must be built without a network")
	}
}
