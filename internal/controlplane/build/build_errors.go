package build

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
	diskAdvice = "a first build needs about 5 GB in the folders that `go env GOCACHE GOMODCACHE` prints, and in " +
		"your cache folder"
	memoryAdvice = "linking kube-apiserver takes up to 3.5 GB; close other programs and run the command again"
)

// causes of a failing go command: what go says, what it means, and what to do.
var causes = []struct {
	said  []string // any of these in go's output
	means string
}{
	{[]string{"no space left on device", "disk quota exceeded", "not enough space"},
		"the disk is full: " + diskAdvice + ". Free some (`go clean -cache` empties Go's build cache) and run the " +
			"command again"},
	{[]string{"requires go >=", "unknown directive: tool", "invalid go version"},
		"the Go on your PATH is too old (`go version` prints which): install Go 1.26 or later from https://go.dev/dl"},
	{[]string{"SECURITY ERROR", "checksum mismatch"},
		"a downloaded module is not the pinned one: something between you and the module proxy changes it. " +
			"`go clean -modcache` empties the module cache; then try on another network"},
	{[]string{"403 Forbidden", "407 Proxy", "proxyconnect", "x509:"},
		"a proxy or firewall is between you and the Go module proxy: set HTTPS_PROXY, or GOPROXY to a module proxy " +
			"that your network allows (`go env -w GOPROXY=...`), and run the command again"},
	{[]string{"no such host", "dial tcp", "i/o timeout", "connection refused", "network is unreachable",
		"TLS handshake timeout", "server misbehaving", "connection reset", "module lookup disabled by GOPROXY=off"},
		"Go can't download modules: check the network and `go env GOPROXY`, and run the command again. " +
			"Without a network, a bundle sets the machine up: see make bundle"},
	{[]string{"signal: killed", "out of memory", "cannot allocate memory"},
		"the system killed a compiler, most likely for want of memory: " + memoryAdvice},
	{[]string{"read-only file system", "permission denied", "failed to initialize build cache"},
		"Go can't write to one of its folders: `go env GOCACHE GOMODCACHE` prints them. Make them writable, or set " +
			"these two variables to folders that are"},
}

// explain says what happened to the command, why, and what to do next, and shows the end of what go said.
func (g *goCommand) explain(ctx context.Context, err error, last []string) error {
	switch {
	case ctx.Err() != nil:
		return wrapped(ctx.Err(), "interrupted while trying to %s: what is compiled is kept, the next run goes on "+
			"from there", g.doing)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return wrapped(err, "can't %s: no go command on your PATH. Install Go 1.26 or later from https://go.dev/dl, "+
			"or put the bin folder of yours on PATH", g.doing)
	}
	said := strings.Join(last, "\n")
	means := "the go command failed; its last words are below"
	for _, c := range causes {
		if containsAny(said, c.said) || containsAny(err.Error(), c.said) {
			means = c.means
			break
		}
	}
	explained := wrapped(err, "can't %s: %s", g.doing, means)
	if said == "" {
		return explained
	}
	return fmt.Errorf("%w\ngo said:\n    %s", explained, strings.ReplaceAll(said, "\n", "\n    "))
}

// wrapped makes an error of a long text, broken into lines that fit a terminal, followed by its cause.
func wrapped(cause error, format string, args ...any) error {
	const columns = 96
	var b strings.Builder
	width := 0
	for _, word := range strings.Fields(fmt.Sprintf(format, args...)) {
		switch {
		case width == 0:
		case width+1+len(word) > columns:
			b.WriteString("\n")
			width = 0
		default:
			b.WriteString(" ")
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return fmt.Errorf("%s\n(%w)", b.String(), cause)
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
		return wrapped(err, "the disk of the cache folder %s is full: %s. Free some and run the command again",
			dir, diskAdvice)
	default:
		return wrapped(err, "can't write to the cache folder %s: make it writable, or choose another with "+
			"XDG_CACHE_HOME (on macOS: HOME). KUBEBUILDER_ASSETS can name a folder that has the binaries already", dir)
	}
}
