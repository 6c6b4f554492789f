package corestore

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/testing/must"
)

var releases = Source{Kind: config.GitHubReleases, Address: "https://api.github.com/repos/JesseTG/melonds-ds/releases"}

// recordedReleases has the form of melonDS DS's list, with the fields that are read and some
// that are not. The older release has no digests, as GitHub gives none for those.
const recordedReleases = `[
 {"url": "https://api.github.com/repos/JesseTG/melonds-ds/releases/2", "tag_name": "v1.3.1", "name": "v1.3.1", "draft": false,
  "prerelease": false, "created_at": "2026-02-01T10:00:00Z", "published_at": "2026-02-01T23:30:00Z", "body": "# 1.3.1\n* \u003cfix\u003e",
  "author": {"login": "JesseTG", "id": 1}, "assets": [
   {"name": "melondsds_libretro-android-Release.zip", "size": 5, "digest": null, "browser_download_url": "https://github.com/a"},
   {"name": "melondsds_libretro-linux-arm64-Release.zip", "size": 4711, "digest": null, "browser_download_url": "https://github.com/JesseTG/melonds-ds/releases/download/v1.3.1/melondsds_libretro-linux-arm64-Release.zip"},
   {"name": "melondsds_libretro-linux-x86_64-Debug.zip", "size": 40000000, "browser_download_url": "https://github.com/d"},
   {"name": "melondsds_libretro-linux-x86_64-Release.zip", "size": 4800000, "state": "uploaded", "uploader": {"login": "bot"},
    "digest": "sha256:9b77b0f08a9ed3d1a61be3981cf40332c88ce3f59ca76336262701b27dabdb2b",
    "browser_download_url": "https://github.com/JesseTG/melonds-ds/releases/download/v1.3.1/melondsds_libretro-linux-x86_64-Release.zip"},
   {"name": "melondsds_libretro-linux-x86_64-RelWithDebInfo.zip", "size": 40000000, "browser_download_url": "https://github.com/d"},
   {"name": "melondsds_libretro.info", "size": 900, "browser_download_url": "https://github.com/i"}]},
 {"tag_name": "v1.4.0", "draft": false, "prerelease": true, "published_at": "2026-03-01T00:00:00Z", "assets": [
   {"name": "melondsds_libretro-linux-x86_64-Release.zip", "size": 1, "browser_download_url": "https://github.com/p"}]},
 {"tag_name": "nightly build", "draft": false, "prerelease": false, "published_at": null, "assets": []},
 {"tag_name": "v1.2.0", "draft": false, "prerelease": false, "published_at": "2025-01-05T20:14:05Z", "assets": [
   {"name": "melondsds_libretro-linux-aarch64-Release.zip", "size": 4000001, "browser_download_url": "https://github.com/JesseTG/melonds-ds/releases/download/v1.2.0/melondsds_libretro-linux-aarch64-Release.zip"},
   {"name": "melondsds_libretro-linux-x86_64.zip", "size": 4000000, "browser_download_url": "https://github.com/JesseTG/melonds-ds/releases/download/v1.2.0/melondsds_libretro-linux-x86_64.zip"}]}
]`

func TestReleasesForEachMachine(t *testing.T) {
	digest, _ := parseSHA256("9b77b0f08a9ed3d1a61be3981cf40332c88ce3f59ca76336262701b27dabdb2b")
	const at = "https://github.com/JesseTG/melonds-ds/releases/download/"
	newest, older := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 1, 5, 0, 0, 0, 0, time.UTC)
	for arch, want := range map[string][]Offer{
		"amd64": {
			{Source: releases, Name: "melondsds", Version: "1.3.1", Date: newest, URL: at + "v1.3.1/melondsds_libretro-linux-x86_64-Release.zip", Size: 4800000, SHA256: digest},
			{Source: releases, Name: "melondsds", Version: "1.2.0", Date: older, URL: at + "v1.2.0/melondsds_libretro-linux-x86_64.zip", Size: 4000000},
		},
		"arm64": {
			{Source: releases, Name: "melondsds", Version: "1.3.1", Date: newest, URL: at + "v1.3.1/melondsds_libretro-linux-arm64-Release.zip", Size: 4711},
			{Source: releases, Name: "melondsds", Version: "1.2.0", Date: older, URL: at + "v1.2.0/melondsds_libretro-linux-aarch64-Release.zip", Size: 4000001},
		},
		"riscv64": nil,
	} {
		got, err := decodeReleases(releases, Platform{"linux", arch}, []byte(recordedReleases))
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %d offers, %v", arch, len(got), err)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: got %+v, want %+v", arch, got[i], want[i])
			}
		}
	}
}

func TestReleasesRefuses(t *testing.T) {
	one := func(change func(r *release, a *asset)) string {
		r := release{Tag: "v1", Published: "2025-01-05T20:14:05Z"}
		a := asset{Name: "melondsds_libretro-linux-x86_64-Release.zip", Size: 1, URL: "https://github.com/a"}
		change(&r, &a)
		r.Assets = append(r.Assets, a)
		text, err := json.Marshal([]release{r})
		must.Succeed(t, err)
		return string(text)
	}
	for text, want := range map[string]string{
		`{"message": "Not Found"}`:                 "releases: json: cannot unmarshal object",
		recordedReleases[:len(recordedReleases)/2]: "unexpected end",
		"<html>": "invalid character '<'",
		"[" + strings.Repeat("{},", maxListed) + "{}]":                                     "releases: 101 are too many",
		strings.Repeat(" ", maxReleases+1):                                                 "too many",
		one(func(r *release, a *asset) { r.Tag = "" }):                                     "tag_name is not a version",
		one(func(r *release, a *asset) { r.Tag = "a\x1b" }):                                "tag_name is not a version",
		one(func(r *release, a *asset) { r.Tag = "../.." }):                                "tag_name is not a version",
		one(func(r *release, a *asset) { r.Tag = strings.Repeat("1", 41) }):                "tag_name is not a version",
		one(func(r *release, a *asset) { r.Published = "yesterday" }):                      "published_at is not a time",
		one(func(r *release, a *asset) { a.Size = 0 }):                                     "size 0 is out of range",
		one(func(r *release, a *asset) { a.Size = -1 }):                                    "size -1 is out of range",
		one(func(r *release, a *asset) { a.Size = MaxArchive + 1 }):                        "is out of range",
		one(func(r *release, a *asset) { a.URL = "http://github.com/a" }):                  "browser_download_url is not",
		one(func(r *release, a *asset) { a.URL = "https:///a" }):                           "browser_download_url is not",
		one(func(r *release, a *asset) { a.URL = "https://u:p@github.com/a" }):             "browser_download_url is not",
		one(func(r *release, a *asset) { a.Digest = "sha256:12" }):                         "digest has 2 digits",
		one(func(r *release, a *asset) { r.Assets = make([]asset, maxListed) }):            "assets: 101 are too many",
		one(func(r *release, a *asset) { a.Digest = "sha256:" + strings.Repeat("g", 64) }): "digest is not hexadecimal",
	} {
		if _, err := decodeReleases(releases, Platform{"linux", "amd64"}, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

func FuzzReleases(f *testing.F) {
	f.Add([]byte(recordedReleases))
	f.Add([]byte(`[{"tag_name":"v1","published_at":"2025-01-05T20:14:05Z","assets":[{"name":"melonds_libretro-linux-x86_64.zip","size":1,"browser_download_url":"https://a/b"}]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		offers, _ := decodeReleases(releases, Platform{"linux", "amd64"}, text)
		for _, o := range offers {
			checkOffer(t, o)
			if o.Size == 0 || o.Version == "" || o.Date.IsZero() {
				t.Errorf("half an offer: %+v", o)
			}
		}
	})
}

// TestAssetsOfSystems: each system takes its own build by the name that releases have for it.
func TestAssetsOfSystems(t *testing.T) {
	for _, test := range []struct {
		at   Platform
		file string
		name string
	}{
		{Platform{"windows", "amd64"}, "melondsds_libretro-win32-x86_64-Release.zip", "melondsds"},
		{Platform{"windows", "amd64"}, "melondsds_libretro-linux-x86_64-Release.zip", ""},
		{Platform{"windows", "arm64"}, "melondsds_libretro-win32-x86_64-Release.zip", ""},
		{Platform{"linux", "amd64"}, "melondsds_libretro-win32-x86_64-Release.zip", ""},
		{Platform{"linux", "arm64"}, "melondsds_libretro-linux-aarch64.zip", "melondsds"},
		{Platform{"windows", "amd64"}, "melondsds_libretro-win32-x86_64-Debug.zip", ""},
	} {
		if name, ok := test.at.coreOf(test.file); name != test.name && (ok || test.name != "") {
			t.Errorf("%v, %s: %q, %v", test.at, test.file, name, ok)
		}
	}
}
