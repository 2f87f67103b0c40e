package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/pins"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// machine is what the checks look at. Its functions are replaced in tests.
type machine struct {
	root  string
	pins  pins.Pins
	goEnv map[string]string // what `go env` says
	cache string            // where Ensure builds
	bin   string            // where it puts the servers

	run    func(ctx context.Context, env []string, dir, name string, args ...string) (output string, err error)
	free   func(path string) (bytes uint64, err error) // that this user can still write at path
	memory func() (total uint64, known bool)
	exists func(path string) bool
	listen func() error
	status func(ctx context.Context) (*local.Report, error)
}

func thisMachine(ctx context.Context) (*machine, error) {
	root, err := repo.Root()
	if err != nil {
		return nil, err
	}
	pinned, err := pins.Load(root)
	if err != nil {
		return nil, err
	}
	cache, err := build.CacheDir()
	if err != nil {
		return nil, err
	}
	bin, err := build.BinDir()
	if err != nil {
		return nil, err
	}
	m := &machine{
		root: root, pins: pinned, cache: cache, bin: bin,
		run: run, free: freeSpace, memory: totalMemory, exists: isProgram, listen: listenOnLoopback,
		status: local.Status,
	}
	out, err := run(ctx, nil, root, "go", "env", "-json")
	if err != nil {
		return nil, fmt.Errorf("ask `go env`: %w; is the bin folder of your Go installation on PATH?\n%s", err, out)
	}
	if err := json.Unmarshal([]byte(out), &m.goEnv); err != nil {
		return nil, fmt.Errorf("read what `go env -json` prints: %w", err)
	}
	return m, nil
}

// run runs a command and returns what it prints, on stderr too when it fails.
func run(ctx context.Context, env []string, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String() + errs.String(), err
	}
	return out.String(), nil
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// listenOnLoopback takes a free port as the servers do.
func listenOnLoopback() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	return l.Close()
}

// totalMemory is known on Linux, where it is read without a library. A container may have less than it says.
func totalMemory() (uint64, bool) {
	if runtime.GOOS != "linux" {
		return 0, false
	}
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(info)) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == "MemTotal:" {
			kilobytes, err := strconv.ParseUint(fields[1], 10, 64)
			return kilobytes << 10, err == nil
		}
	}
	return 0, false
}

// nearest is the path itself or the nearest folder above it that exists.
func nearest(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}
