// Command 01-raw-watch shows what a Kubernetes watch is: one HTTP response that does not end.
//
// It lists, opens a watch, and prints the events while the response is unfinished; then it looks at the same stream as
// bytes on a TLS socket, over HTTP/2 and as protobuf, narrows it with a selector, and compares it with polling.
//
//	go run ./chapters/01-raw-watch                plays everything
//	go run ./chapters/01-raw-watch -wire          prints every byte of the raw response
//	go run ./chapters/01-raw-watch -fault NAME    shows what goes wrong with a simpler client
//	go run ./chapters/01-raw-watch -step          waits for Enter between the steps
//	go run ./chapters/01-raw-watch -interactive   stays on, to be driven with kubectl
//
// main.go is the table of contents; each step has a file of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// everyByte is the flag -wire.
var everyByte bool

var demo = lab.Demo{
	Chapter: "01-raw-watch",
	Title:   "one HTTP response that does not end",
	Flags: func(f *flag.FlagSet) {
		f.BoolVar(&everyByte, "wire", false, "print every byte of the raw response, uncut")
		faultFlag(f)
	},
	Steps: []lab.Step{
		{Title: "List, twice, and look at the connection", Run: list, Why: "Two ConfigMaps, and two GETs of " +
			"their collection. A response with an end: what happens to the connection behind it?"},
		{Title: "Watch, and write while the response is open", Run: live, Why: "The same GET with watch=true. " +
			"After each write, the next event is read from the one response that is still arriving."},
		{Title: "The same watch, as bytes", Run: wire, Why: "No HTTP library: a TLS socket, a request typed " +
			"by hand, timeoutSeconds=1, and what the server puts on the wire until it has said that it is done."},
		{Title: "The same watch over HTTP/2", Run: http2, Why: "The bytes above were HTTP/1.1, which was asked " +
			"for. A client that lets the server choose gets HTTP/2. Two watches are opened over each."},
		{Title: "The same watch as protobuf", Run: protobuf, Why: "The media type is asked for, too. Typed Go " +
			"clients ask for protobuf, where no event ends with a newline: its length stands in front of it."},
		{Title: "Watch a selection", Run: selector, Why: "A watch of label drink=tea. Two edits of a label, " +
			"no deletion, and then a GET of the object that the watch said is DELETED."},
		{Title: "Watch, or poll?", Run: compare, Why: "For three seconds one client polls the collection every " +
			"500 ms and another watches it, while a third changes one object six times."},
	},
	Interactive: follow,
}

func main() {
	demo.Pick = steps
	lab.Main(demo)
}

// clientOf returns the chapter's own client for the lab's server, over the connection that all steps share.
func clientOf(l *lab.Lab) *watch.Client {
	return &watch.Client{Server: l.Server.String(), HTTP: l.HTTPClient()}
}

// configMaps returns the path of the run's ConfigMaps, or of one of them.
func configMaps(l *lab.Lab, name ...string) string {
	return watch.Path("", "v1", l.Namespace, "configmaps", name...)
}

// next reads the next event and its metadata. It passes over the one ConfigMap that a full cluster puts into every
// namespace, so that the demo says the same everywhere.
func next(s *watch.Stream) (watch.Event, watch.Meta, error) {
	for {
		event, err := s.Next()
		if err == nil {
			err = event.Err()
		}
		if err != nil {
			return event, watch.Meta{}, err
		}
		meta, err := event.Meta()
		if err != nil || meta.Name != "kube-root-ca.crt" {
			return event, meta, err
		}
	}
}

// follow is -interactive: it prints what the reader's own kubectl does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("This terminal watches the ConfigMaps of %s. In another terminal, in this folder:", l.Namespace)
	for _, args := range []string{
		"create configmap oolong --from-literal=cups=1", "label configmap oolong drink=tea", "delete configmap oolong",
	} {
		l.Command("%s %s", l.Kubectl(), args)
	}
	for {
		version, err := newest(ctx, l) // without it, the crowd of step 7 would come first
		if err != nil {
			return err
		}
		s, err := clientOf(l).Watch(ctx, configMaps(l), watch.Options{ResourceVersion: version})
		if err != nil {
			return err
		}
		err = printAll(l, s)
		s.Close()
		if !errors.Is(err, io.EOF) {
			return err
		}
		l.Conclude("The server ended the watch, as it does after 30 to 60 minutes. Watching again.")
	}
}

// printAll prints the events of a stream until it ends, and returns how.
func printAll(l *lab.Lab, s *watch.Stream) error {
	for {
		event, meta, err := next(s)
		if err != nil {
			return err
		}
		l.Event(string(event.Type), "%-12s resourceVersion %s", meta.Name, meta.ResourceVersion)
	}
}
