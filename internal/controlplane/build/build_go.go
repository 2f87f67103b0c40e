package build

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

// goCommand runs the go command for one purpose, in a process group of its own, so that the end of a context ends the
// compilers it started too.
type goCommand struct {
	tool  []string      // the go command
	dir   string        // the folder of the module
	tmp   string        // for go's intermediate files; "" is go's choice
	gogc  string        // GOGC of the command, its compilers and its linker, unless the reader has set it; "" is Go's
	grace time.Duration // what the command gets to clean up after an interrupt, before it is killed
	doing string        // what it is for: "build etcd"
}

const defaultGrace = 5 * time.Second

// serversGOGC saves a twelfth of the processor time of k8s.io/kubernetes' packages, for up to a third more memory in a
// compiler and a tenth in the linker (measured). On packages as small as those of this repository's own programs it
// saves nothing.
const serversGOGC = "400"

// run runs go with args and gives every line of its output to line, stdout and stderr alike, one at a time.
// It returns when every process that the command started has closed its output. A failure is explained by what go said
// last.
func (g *goCommand) run(ctx context.Context, line func(stdout bool, text string), args ...string) error {
	if ctx.Err() != nil {
		return g.explain(ctx, ctx.Err(), nil)
	}
	cmd := exec.Command(g.tool[0], append(g.tool[1:len(g.tool):len(g.tool)], args...)...)
	cmd.Dir = g.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "PWD="+g.dir)
	if g.gogc != "" && os.Getenv("GOGC") == "" {
		cmd.Env = append(cmd.Env, "GOGC="+g.gogc)
	}
	if g.tmp != "" {
		cmd.Env = append(cmd.Env, "GOTMPDIR="+g.tmp)
	}
	ownGroup(cmd)

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
		return g.explain(ctx, err, nil)
	}

	var last tail
	var mu sync.Mutex
	var reading sync.WaitGroup
	read := func(from io.Reader, isStdout bool) {
		lines := bufio.NewScanner(from)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			mu.Lock()
			if !isStdout {
				last.add(lines.Text())
			}
			line(isStdout, lines.Text())
			mu.Unlock()
		}
		io.Copy(io.Discard, from) // a line that is too long must not block go
	}
	reading.Go(func() { read(stdout, true) })
	reading.Go(func() { read(stderr, false) })

	silent := make(chan struct{}) // closed when all the output has been read
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-silent:
		case <-ctx.Done():
			stopGroup(cmd, g.grace, silent)
		}
	}()
	reading.Wait()
	close(silent)
	<-stopped // before Wait: until the command is waited for, no other process group can have its number
	err = cmd.Wait()
	if err != nil || ctx.Err() != nil {
		return g.explain(ctx, errors.Join(ctx.Err(), err), last.lines)
	}
	return nil
}

// tail keeps the last lines of go's output, without those that tell progress, for the message when it fails.
type tail struct{ lines []string }

func (t *tail) add(line string) {
	const keep = 8
	if isPackage(line) || strings.HasPrefix(line, "go: downloading ") {
		return
	}
	if len(t.lines) == keep {
		t.lines = t.lines[1:]
	}
	t.lines = append(t.lines, line)
}

// isPackage reports whether a line of go build -v is the name of a package: nothing else go says is a single word.
func isPackage(line string) bool {
	return line != "" && !strings.ContainsAny(line, " \t:#")
}
