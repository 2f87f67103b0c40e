package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

const colour = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"colour","labels":{"app":"paint"}},"data":{"value":"%s"}}`

// typeCommands sends the same kubectl commands to both servers.
func typeCommands(ctx context.Context, l *lab.Lab) error {
	servers, stop, err := both(l)
	if err != nil {
		return err
	}
	defer stop()
	for _, c := range []struct{ stdin, args string }{
		{"", "create configmap colour --from-literal=value=red"},
		{"green", "replace -f colour.json"},
		{"", "label cm colour shade=dark"},
		{"", "get cm colour"},
		{"blue", "apply -f shade.json"},
		{"", "delete cm colour"},
	} {
		shown := "kubectl " + c.args
		if c.stdin != "" {
			shown += "    # now " + c.stdin
		}
		l.Command("%s", shown)
		out := make([]string, len(servers))
		var wg sync.WaitGroup
		for i, s := range servers {
			wg.Go(func() {
				stdin, args := fmt.Sprintf(colour, c.stdin), c.args
				if before, _, ok := strings.Cut(c.args, " -f "); ok {
					args = before + " -f -"
				}
				if strings.HasSuffix(c.args, "shade.json") {
					stdin = strings.NewReplacer("colour", "shade", "paint", "varnish").Replace(stdin)
				}
				command, err := s.kubectl(ctx, stdin, strings.Fields(args)...)
				if err != nil {
					out[i] = err.Error()
					return
				}
				raw, _ := command.CombinedOutput() // an error is an answer, too
				out[i] = strings.ReplaceAll(strings.TrimSpace(string(raw)), " from "+s.namespace+" namespace", "")
			})
		}
		wg.Wait()
		compare(l, servers, out)
	}
	l.Conclude("Two differences: no DATA column, for the real server lays out the table; and no apply, which needs a schema.")
	return ctx.Err()
}

// compare shows what both said, once if it is the same.
func compare(l *lab.Lab, servers []*server, out []string) {
	if out[0] == out[1] {
		l.Wire("%-15s %s", "both", out[0])
		return
	}
	for i, s := range servers {
		for line := range strings.Lines(out[i]) {
			for _, part := range fold(strings.TrimSpace(line), lab.Columns-16) {
				l.Wire("%-15s %s", s.name, part)
			}
		}
	}
}

// fold breaks a line between words.
func fold(s string, width int) (lines []string) {
	for _, word := range strings.Fields(s) {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(word) <= width {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	if len(lines) == 1 || len(s) <= width {
		return []string{s} // the blanks between columns stay
	}
	return lines
}

// followWithKubectl runs kubectl get -w on both servers while an object changes.
func followWithKubectl(ctx context.Context, l *lab.Lab) error {
	servers, stop, err := both(l)
	if err != nil {
		return err
	}
	defer stop()
	watching := make([]*follower, len(servers))
	for i, s := range servers {
		if err := s.send(ctx, "POST", s.configMaps(), fmt.Sprintf(colour, "red")); err != nil {
			return err
		}
		if watching[i], err = follow(ctx, s); err != nil {
			return err
		}
		defer watching[i].stop()
	}
	l.Command("kubectl get cm -l app=paint -w --output-watch-events")
	for _, step := range []struct{ say, method, value string }{
		{"(begins)", "", ""}, {"PUT colour: green", "PUT", "green"}, {"PUT colour: green, again", "PUT", "green"},
		{"PUT colour: blue", "PUT", "blue"}, {"DELETE colour", "DELETE", ""},
	} {
		l.Sent("%s", step.say)
		if step.method != "" {
			for _, s := range servers {
				if err := s.send(ctx, step.method, s.configMaps()+"/colour", fmt.Sprintf(colour, step.value)); err != nil {
					return err
				}
			}
		}
		if step.say == "PUT colour: green, again" {
			continue // the event that comes next shows that this one brought none
		}
		got := make([]string, len(servers))
		for i := range servers {
			if got[i], err = watching[i].next(); err != nil {
				return err
			}
		}
		compare(l, servers, got)
	}
	l.Conclude("Four lines for four writes; the first is what kubectl listed. The second green changed nothing, so it was no write: it has no version and no event.")
	return nil
}

// follower is a kubectl get -w that runs.
type follower struct {
	command *exec.Cmd
	lines   *bufio.Scanner
}

// follow begins with a list. With a name in place of the selector kubectl would GET the object and then watch without a
// version, and a change in between would be lost.
func follow(ctx context.Context, s *server) (*follower, error) {
	command, err := s.kubectl(ctx, "", "get", "cm", "-l", "app=paint", "-w", "--output-watch-events",
		"-o", `jsonpath={.type} {.object.metadata.name}={.object.data.value}{"\n"}`)
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &follower{command, bufio.NewScanner(out)}, command.Start()
}

func (f *follower) next() (string, error) {
	if !f.lines.Scan() {
		return "", fmt.Errorf("kubectl get -w ended before the event that was to come: %w", io.ErrUnexpectedEOF)
	}
	return f.lines.Text(), nil
}

func (f *follower) stop() {
	_ = f.command.Process.Kill()
	_ = f.command.Wait()
}
