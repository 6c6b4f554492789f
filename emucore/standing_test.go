package emucore

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestStanding: a version counts for what was measured of it, and a file that was measured for
// more than its version.
func TestStanding(t *testing.T) {
	sum, err := hex.DecodeString(desmumeProfile().known.files[0].SHA256)
	if err != nil || len(sum) != 32 {
		t.Fatalf("%v, %v", sum, err)
	}
	for _, tt := range []struct {
		core Core
		want Standing
	}{
		{Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte(sum)}, Proven},
		{Core{Name: "DeSmuME", Version: "SVN"}, Untried}, // every build calls itself that
		{Core{Name: "melonDS DS", Version: "1.2.0"}, Measured},
		{Core{Name: "melonDS DS", Version: "1.3.0"}, Likely},
		{Core{Name: "melonDS DS", Version: " v1.3.2 (RelWithDebInfo)"}, Likely},
		{Core{Name: "melonDS DS", Version: "1.30"}, Untried},
		{Core{Name: "melonDS DS", Version: "1.4.0"}, Untried},
		{Core{Name: "melonDS DS", Version: "1.1.8"}, Untried},
		{Core{Name: "melonDS DS"}, Untried},
		{Core{Name: "nobody's", Version: "1.2.0"}, Untried},
	} {
		if got := tt.core.Standing(); got != tt.want {
			t.Errorf("%s %q: %v, want %v", tt.core.Name, tt.core.Version, got, tt.want)
		}
	}
}

// TestStandingSpeaksOfTheFile: numbers that hide builds prove nothing, and a file that does what a measured one does is
// said to.
func TestStandingSpeaksOfTheFile(t *testing.T) {
	known := desmumeProfile().known.files[0]
	sum, err := hex.DecodeString(known.SHA256)
	must.Succeed(t, err)
	print, err := hex.DecodeString(known.Fingerprint)
	must.Succeed(t, err)
	debian := Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte(sum)}
	own := Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte{0xab}, Fingerprint: [32]byte(print)}
	for _, tt := range []struct {
		core         Core
		words        string
		alike, known bool
	}{
		{debian, "tested with this very file (Debian 12's 0.9.11+git20160819 for x86-64, SHA-256 87742cea)", true, true},
		{own, "tested with another build (Debian 12's 0.9.11+git20160819 for x86-64), and this file (SHA-256 ab000000) does the same", true, true},
		{Core{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte{0xcd}}, "not tested with this file (SHA-256 cd000000), and builds that call themselves SVN differ", false, true},
		{Core{Name: "melonDS DS", Version: "1.2.0"}, "not tested with this file (SHA-256 00000000), and builds that call themselves 1.2.0 differ", false, false},
		{Core{Name: "melonDS DS", Version: "1.3.1"}, "a version close to this one, not with this file", false, false},
		{Core{Name: "nobody's", Version: "1"}, "not tested with this version, nor this file", false, false},
	} {
		if words := tt.core.StandingWords(); !strings.Contains(words, tt.words) {
			t.Errorf("%q, want %q", words, tt.words)
		}
		if alike, is := tt.core.LikeKnown(); alike != tt.alike || is != tt.known {
			t.Errorf("%v: alike %v, known %v", tt.core, alike, is)
		}
	}
	if print, is := debian.KnownFingerprint(); !is || print != own.Fingerprint {
		t.Errorf("%x, %v", print, is)
	}
}
