// Command 03-watch-server shows the other end of a watch: the chapter's own API server, beside the real one.
//
// The same kubectl, the same client-go and the same requests go to both, and what they answer is printed side by side.
//
//	go run ./chapters/03-watch-server                plays everything
//	go run ./chapters/03-watch-server -fault NAME    shows what goes wrong with a simpler server or a hasty client
//	go run ./chapters/03-watch-server -step          waits for Enter between the steps
//	go run ./chapters/03-watch-server -interactive   then serves until Ctrl-C, to be driven with kubectl
//
// main.go is the table of contents; each step has a file of its own.
package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

var demo = lab.Demo{
	Chapter:     "03-watch-server",
	Title:       "the other end of a watch",
	Flags:       faultFlag,
	Pick:        steps,
	Interactive: serve,
}

// steps are those of the demo, or the one failure that -fault asks for.
func steps() []lab.Step {
	if fault != "" {
		return []lab.Step{failures[fault]}
	}
	return []lab.Step{
		{Title: "One kubectl, two servers", Run: typeCommands, Why: "The same commands go to the chapter's " +
			"server and to kube-apiserver. Where the answers differ, both are shown."},
		{Title: "kubectl get -w", Run: followWithKubectl, Why: "One kubectl follows an object on each server " +
			"while it is replaced three times, once with what it holds already, and deleted."},
		{Title: "client-go's informer", Run: runInformers, Why: "The informer of every controller: it asks for a " +
			"streaming list, and reads until a bookmark tells it that it has everything."},
		{Title: "Who has changed it since?", Run: updateTwice, Why: "Two clients read an object and both write " +
			"it. The number of the write that each has read decides."},
		{Title: "The window", Run: resume, Why: "A server that remembers four changes. Six are made, and clients " +
			"come back with the version that they saw last."},
	}
}

func main() {
	lab.Main(demo)
}

// serve runs the server until Ctrl-C.
func serve(ctx context.Context, l *lab.Lab) error {
	s, err := startOurs(l, storage.Options{})
	if err != nil {
		return err
	}
	defer s.stop()
	l.Say("The chapter's server listens on %s. In another terminal:", s.url)
	l.Command("export KUBECONFIG=%s", s.kubeconfig)
	for _, args := range []string{"get cm -w --output-watch-events", "create configmap colour --from-literal=value=red", "label cm colour tier=web", "delete cm colour"} {
		l.Command("kubectl -n demo %s", args)
	}
	<-ctx.Done()
	return nil
}
