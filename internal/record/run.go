package record

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
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

// clean removes trailing white space, which editors and git complain about.
func clean(output string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
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

// RunAll runs each command that the blocks show, once, and gives the outputs by command.
func RunAll(ctx context.Context, root string, blocks []Block, ran func(command string, took time.Duration)) (map[string]string, error) {
	outputs := map[string]string{}
	for _, b := range blocks {
		if _, ok := outputs[b.Command]; ok {
			continue
		}
		begin := time.Now()
		output, err := Run(ctx, root, b.Command)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", b.File, b.Line, err)
		}
		outputs[b.Command] = output
		ran(b.Command, time.Since(begin))
	}
	return outputs, nil
}
