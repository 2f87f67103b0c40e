package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// followWithKubectl runs kubectl get -w on both servers while an object changes.
func followWithKubectl(ctx context.Context, l *lab.Lab) error {
	servers, stop, err := both(l)
	if err != nil {
		return err
	}
	defer stop()
	watching := make([]*follower, len(servers))
	for i, s := range servers {
		if err := s.send(ctx, "POST", s.configMaps(), colour("red")); err != nil {
			return err
		}
		if watching[i], err = follow(ctx, s); err != nil {
			return err
		}
		defer watching[i].stop()
	}
	l.Command("kubectl get cm -l app=paint -w --output-watch-events")
	if err := compareNext(l, servers, watching); err != nil {
		return err
	}
	for _, write := range []struct {
		method  string
		body    any
		noEvent bool // the event that comes next shows that this write brought none
	}{
		{method: "PUT", body: colour("green")},
		{method: "PUT", body: colour("green"), noEvent: true},
		{method: "PUT", body: colour("blue")},
		{method: "DELETE"},
	} {
		for i, s := range servers {
			client := s.http
			if i == 0 {
				client = l.Aloud(client) // the same goes to each, and is shown once
			}
			if _, err := lab.MustSendJSON(ctx, client, write.method, s.configMaps()+"/colour", write.body); err != nil {
				return err
			}
		}
		if write.noEvent {
			continue
		}
		if err := compareNext(l, servers, watching); err != nil {
			return err
		}
	}
	l.Conclude("Four requests, three events: the first line is what kubectl listed. " +
		"The second green changed nothing, so it is no write: it has no version and no event.")
	return nil
}

// compareNext shows what each kubectl prints next.
func compareNext(l *lab.Lab, servers []*server, watching []*follower) (err error) {
	lines := make([]string, len(servers))
	for i := range servers {
		if lines[i], err = watching[i].next(); err != nil {
			return err
		}
	}
	compare(l, servers, lines)
	return nil
}

// follower is a kubectl get -w that runs.
type follower struct {
	command *exec.Cmd
	lines   *bufio.Scanner
}

// follow begins with a list. With a name in place of the selector kubectl would GET the object and then watch from
// version 0, and a change in between would not be printed.
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
