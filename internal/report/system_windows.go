package report

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// system names the system and its version.
func system() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
}

// processor returns the name of the machine's processor, "" where that is not known.
func processor() string { return os.Getenv("PROCESSOR_IDENTIFIER") }
