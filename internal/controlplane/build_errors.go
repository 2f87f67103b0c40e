package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"
)

// diskAdvice and memoryAdvice give the figures of a cold build.
const (
	diskAdvice   = "a first build needs about 5 GB in the folders that `go env GOCACHE GOMODCACHE` prints, and in your cache folder"
	memoryAdvice = "linking kube-apiserver takes up to 3.5 GB; close other programs and run the command again"
)

// causes of a failing go command: what go says, what it means, and what to do.
var causes = []struct {
	said  []string // any of these in go's output
	means string
}{
	{[]string{"no space left on device", "disk quota exceeded", "not enough space"},
		"the disk is full: " + diskAdvice + ". Free some (`go clean -cache` empties Go's build cache) and run the command again"},
	{[]string{"requires go >=", "unknown directive: tool", "invalid go version"},
		"the Go on your PATH is too old (`go version` prints which): install Go 1.26 or later from https://go.dev/dl"},
	{[]string{"SECURITY ERROR", "checksum mismatch"},
		"a downloaded module is not the pinned one: something between you and the module proxy changes it. " +
			"`go clean -modcache` empties the module cache; then try on another network"},
	{[]string{"403 Forbidden", "407 Proxy", "proxyconnect", "x509:"},
		"a proxy or firewall is between you and the Go module proxy: set HTTPS_PROXY, or GOPROXY to a module proxy that " +
			"your network allows (`go env -w GOPROXY=...`), and run the command again"},
	{[]string{"no such host", "dial tcp", "i/o timeout", "connection refused", "network is unreachable", "TLS handshake timeout",
		"server misbehaving", "connection reset", "module lookup disabled by GOPROXY=off"},
		"Go can't download modules: check the network and `go env GOPROXY`, and run the command again. " +
			"Without a network, a bundle sets the machine up: see make bundle"},
	{[]string{"signal: killed", "out of memory", "cannot allocate memory"},
		"the system killed a compiler, most likely for want of memory: " + memoryAdvice},
	{[]string{"read-only file system", "permission denied", "failed to initialize build cache"},
		"Go can't write to one of its folders: `go env GOCACHE GOMODCACHE` prints them. Make them writable, or set these two " +
			"variables to folders that are"},
}

// explain says what happened to the command, why, and what to do next, and shows the end of what go said.
func (g *goCommand) explain(ctx context.Context, err error, last []string) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted while trying to %s (what is compiled is kept, the next run goes on from there): %w",
			g.doing, ctx.Err())
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("can't %s: no go command on your PATH; install Go 1.26 or later from https://go.dev/dl, "+
			"or put the bin folder of yours on PATH: %w", g.doing, err)
	}
	said := strings.Join(last, "\n")
	means := "the go command failed; its last words are below"
	for _, c := range causes {
		if containsAny(said, c.said) || containsAny(err.Error(), c.said) {
			means = c.means
			break
		}
	}
	if said == "" {
		return fmt.Errorf("can't %s: %s (%w)", g.doing, means, err)
	}
	return fmt.Errorf("can't %s: %s (%w).\ngo said:\n    %s", g.doing, means, err, strings.ReplaceAll(said, "\n", "\n    "))
}

func containsAny(s string, subs []string) bool {
	for _, sub := range subs {
		if strings.Contains(s, sub) {
			return true
		}
	}
	return false
}

// explainCache says what to do about a cache folder that does not take what is to be put there.
func explainCache(dir string, err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("the disk of the cache folder %s is full: %s. Free some and run the command again: %w", dir, diskAdvice, err)
	default:
		return fmt.Errorf("can't write to the cache folder %s: make it writable, or choose another with XDG_CACHE_HOME (on macOS: "+
			"HOME); a folder that has the binaries already can be named by KUBEBUILDER_ASSETS: %w", dir, err)
	}
}
