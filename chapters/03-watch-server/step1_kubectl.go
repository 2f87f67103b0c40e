package main

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

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
				stdin, args := "", c.args
				if before, file, ok := strings.Cut(c.args, " -f "); ok {
					stdin, args = fileOf(file, c.stdin), before+" -f -"
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
	l.Conclude("Two differences: no DATA column, for the real server lays out the table; " +
		"and no apply, which needs a schema.")
	return ctx.Err()
}

// fileOf is what a reader would have in the file. kubectl has to be told the kind, which a URL would say.
func fileOf(name, value string) string {
	o := colour(value)
	if name == "shade.json" {
		o = labelled("shade", "varnish", value)
	}
	o["apiVersion"], o["kind"] = "v1", "ConfigMap"
	file, err := json.Marshal(o)
	if err != nil {
		panic(err) // maps of strings
	}
	return string(file)
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

// fold breaks a line between words, if it has to: the blanks between columns stay.
func fold(s string, width int) []string {
	if len(s) <= width {
		return []string{s}
	}
	return lab.Wrap(s, width)
}
