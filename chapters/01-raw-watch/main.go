// Command 01-raw-watch shows what a Kubernetes watch is: one HTTP response that does not end.
//
// It lists, opens a watch, and prints the events while the response is unfinished; then it looks at the same stream as
// bytes on a TLS socket, over HTTP/2 and as protobuf, narrows it with a selector, and compares it with polling.
//
//	go run ./chapters/01-raw-watch                plays everything
//	go run ./chapters/01-raw-watch -list          lists what there is to play
//	go run ./chapters/01-raw-watch -wire          prints every byte of the raw response
//	go run ./chapters/01-raw-watch -fault NAME    shows what goes wrong with a simpler client
//	go run ./chapters/01-raw-watch -step          waits for Enter between the steps
//	go run ./chapters/01-raw-watch -interactive   stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_list.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share.
package main

import (
	"flag"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	raw := &rawResponse{}
	return lab.Demo{
		Chapter:     "01-raw-watch",
		Title:       "one HTTP response that does not end",
		PlaysOnBook: true,
		Flags: func(f *flag.FlagSet) {
			f.BoolVar(&raw.everyByte, "wire", false, "print every byte of the raw response, uncut")
		},
		Steps: []lab.Step{
			{Title: "List, twice, and look at the connection", Run: list,
				Why: "Two ConfigMaps, and two GETs of their collection. " +
					"A response with an end: what happens to the connection behind it?"},
			{Title: "Watch, and write while the response is open", Run: live,
				Why: "The same GET with watch=true. " +
					"After each write, the next event is read from the one response that is still arriving.",
				Question: "Nothing has been written since step 1. " +
					"Does the watch send something before the first write, or nothing?",
				Answer: "It does: without a resourceVersion, " +
					"a watch begins with one ADDED for each object that is there."},
			{Title: "The same watch, as bytes", Run: raw.watch,
				Why: "No HTTP library: a TLS socket, a request typed by hand, timeoutSeconds=1, " +
					"and what the server puts on the wire until it has said that it is done. " +
					"The writes go over another connection.",
				Question: "When the second is over, does the server close the connection, " +
					"or does the connection stay?",
				Answer: "It stays. A chunk of length zero ends the response, " +
					"and the same socket takes the next request."},
			{Title: "The same watch over HTTP/2", Run: http2,
				Why: "The bytes above were HTTP/1.1, which was asked for. " +
					"A client that lets the server choose gets HTTP/2. Two watches are opened over each."},
			{Title: "The same watch as protobuf", Run: protobuf,
				Why: "The media type is asked for, too. Typed Go clients ask for protobuf, " +
					"where no event ends with a newline: its length stands in front of it."},
			{Title: "Watch a selection", Run: selector,
				Why: "A watch of label drink=tea. Two edits of a label, no deletion, " +
					"and then a GET of the object that the watch said is DELETED.",
				Question: "The label changes from tea to coffee. " +
					"Does the watch send a MODIFIED, a DELETED, or nothing?",
				Answer: "A DELETED, though the object lives: the types say what happens to the view of this watch."},
			{Title: "Watch, or poll?", Run: compare,
				Why: "For three seconds one client polls the collection every 500 ms and another watches it, " +
					"while a third changes one object six times."},
		},
		Faults:      failures(),
		Interactive: follow,
	}
}
