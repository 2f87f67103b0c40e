// Package racedetector says whether tests can run with -race on this machine.
package racedetector

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// raceArch are the platforms that Go has a race detector for.
var raceArch = map[string][]string{
	"linux":   {"amd64", "arm64", "loong64", "ppc64le", "riscv64", "s390x"},
	"darwin":  {"amd64", "arm64"},
	"freebsd": {"amd64"},
	"windows": {"amd64"},
}

// Available reports whether tests can run under the race detector here. If not, why says so for a reader.
func Available(ctx context.Context) (ok bool, why string) {
	if !slices.Contains(raceArch[runtime.GOOS], runtime.GOARCH) {
		return false, fmt.Sprintf("Go has no race detector for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	if runtime.GOOS == "darwin" {
		return true, "" // needs no C compiler there
	}
	cmd := exec.CommandContext(ctx, "go", "env", "CGO_ENABLED", "CC")
	// The tests are built to run here. What is set for builds for elsewhere says nothing about that.
	cmd.Env = append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "GOEXPERIMENT=", "GOFLAGS=",
		"GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		return false, "go env failed: " + err.Error()
	}
	enabled, cc, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if enabled != "1" {
		return false, "the race detector needs a C compiler, and there is none (or CGO_ENABLED=0)"
	}
	if f := strings.Fields(cc); len(f) > 0 {
		if _, err := exec.LookPath(f[0]); err != nil {
			return false, "the race detector needs a C compiler, and " + f[0] + " is not there"
		}
	}
	return true, ""
}
