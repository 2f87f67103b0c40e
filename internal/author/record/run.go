package record

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Limit bounds one recorded command.
const Limit = 5 * time.Minute

// Run runs a command at the root as a reader would, and gives what it printed on standard output, without colours.
// Words of the form NAME=value in front are its environment. Standard error is shown when it fails.
func Run(ctx context.Context, root, command string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	words := strings.Fields(command)
	env := append(os.Environ(), "NO_COLOR=1", "COLUMNS=100", "TERM=dumb")
	for len(words) > 0 && strings.Contains(words[0], "=") {
		env, words = append(env, words[0]), words[1:]
	}
	if len(words) == 0 {
		return "", fmt.Errorf("the directive names no command")
	}
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir, c.Env = root, env
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("`%s`: %w\n%s%s", command, err, tail(stdout.String()), tail(stderr.String()))
	}
	return clean(stdout.String()), nil
}

// progress is a line about building or starting the control plane: which of them appear is a matter of the machine.
var progress = regexp.MustCompile(`^[A-Z][^<>=]*  (?:\d+m)?\d+s(?:  .*)?$`)

// clean removes progress, and trailing white space, which editors and git complain about.
func clean(output string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
		if progress.MatchString(strings.TrimRight(line, "\n")) {
			continue
		}
		b.WriteString(strings.TrimRight(line, " \t\r\n") + "\n")
	}
	return b.String()
}

func tail(s string) string {
	lines := strings.SplitAfter(s, "\n")
	if len(lines) > 12 {
		lines = lines[len(lines)-12:]
	}
	return strings.Join(lines, "")
}

// RunAll runs each command that the blocks show, once, two at a time, and gives the outputs by command. An error of a
// command is its output's; the others run all the same.
func RunAll(ctx context.Context, root string, blocks []Block,
	ran func(command string, took time.Duration)) map[string]Output {
	outputs := map[string]Output{}
	var lock sync.Mutex
	var all sync.WaitGroup
	places := make(chan struct{}, 2)
	for _, b := range blocks {
		lock.Lock()
		_, known := outputs[b.Command]
		if !known {
			outputs[b.Command] = Output{} // claimed
		}
		lock.Unlock()
		if known {
			continue
		}
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			begin := time.Now()
			text, err := Run(ctx, root, b.Command)
			lock.Lock()
			defer lock.Unlock()
			outputs[b.Command] = Output{text, err}
			ran(b.Command, time.Since(begin))
		})
	}
	all.Wait()
	return outputs
}

// Output is what a command printed, or why it failed.
type Output struct {
	Text string
	Err  error
}
