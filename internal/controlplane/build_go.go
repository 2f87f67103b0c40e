package controlplane

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// goCommand runs the go command in a process group of its own, so that the end of a context ends the compilers it started too.
type goCommand struct {
	tool string
	dir  string // of the module
	tmp  string // for go's intermediate files: on the same file system as the binaries, so that they are moved, not copied
}

// grace is what the go command gets to clean up after an interrupt before it is killed.
const grace = 5 * time.Second

// run runs go with args and gives every line of its output to line, stdout and stderr alike, one at a time.
// A failure is explained by what go said last.
func (g *goCommand) run(ctx context.Context, line func(stdout bool, text string), args ...string) error {
	cmd := exec.CommandContext(ctx, g.tool, args...)
	cmd.Dir = g.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "PWD="+g.dir)
	if g.tmp != "" {
		cmd.Env = append(cmd.Env, "GOTMPDIR="+g.tmp)
	}
	ownGroup(cmd)
	cmd.WaitDelay = grace

	// Pipes, not buffers: should this process be killed, go dies of SIGPIPE at its next line.
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return explainGo(ctx, err, nil)
	}
	var (
		mu   sync.Mutex
		last tail
		read sync.WaitGroup
	)
	for _, from := range []struct {
		pipe   io.Reader
		stdout bool
	}{{stdout, true}, {stderr, false}} {
		read.Go(func() {
			lines := bufio.NewScanner(from.pipe)
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				mu.Lock()
				if !from.stdout {
					last.add(lines.Text())
				}
				line(from.stdout, lines.Text())
				mu.Unlock()
			}
			io.Copy(io.Discard, from.pipe) // a line too long must not block go
		})
	}
	waited := make(chan struct{})
	go func() { // Wait closes the pipes, so it may come only after the readers; but a killed group must end the reading
		select {
		case <-ctx.Done():
			stopGroup(cmd, waited)
		case <-waited:
		}
	}()
	read.Wait()
	err = cmd.Wait()
	close(waited)
	if err != nil || ctx.Err() != nil {
		return explainGo(ctx, errors.Join(err, ctx.Err()), last.lines)
	}
	return nil
}

// tail keeps the last lines of go's output, without the names of compiled packages, for the message when it fails.
type tail struct{ lines []string }

func (t *tail) add(line string) {
	if isPackage(line) || strings.HasPrefix(line, "go: downloading ") {
		return
	}
	const keep = 12
	if len(t.lines) == keep {
		t.lines = t.lines[1:]
	}
	t.lines = append(t.lines, line)
}

// isPackage reports whether a line of go build -v names a package: no spaces, no colon.
func isPackage(line string) bool {
	return line != "" && !strings.ContainsAny(line, " \t:#")
}
