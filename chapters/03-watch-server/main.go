// Command 03-watch-server shows the other end of a watch: the chapter's own API server, beside the real one.
//
// The same kubectl, the same client-go and the same requests go to both, and what they answer is printed side by side.
//
//	go run ./chapters/03-watch-server                plays everything
//	go run ./chapters/03-watch-server -list          lists what there is to play
//	go run ./chapters/03-watch-server -fault NAME    shows what goes wrong with a simpler server or a hasty client
//	go run ./chapters/03-watch-server -step          waits for Enter between the steps
//	go run ./chapters/03-watch-server -interactive   then serves until Ctrl-C, to be driven with kubectl
//
// main.go is the table of contents. step1_kubectl.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go the two servers.
package main

import (
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	return lab.Demo{
		Chapter: "03-watch-server",
		Title:   "the other end of a watch",
		Steps: []lab.Step{
			{Title: "One kubectl, two servers", Run: typeCommands,
				Why: "The same commands go to the chapter's server and to kube-apiserver. " +
					"Where the answers differ, both are shown."},
			{Title: "kubectl get -w", Run: followWithKubectl,
				Why: "One kubectl follows an object on each server while it is replaced three times, " +
					"once with what it holds already, and deleted. Each request goes to both.",
				Question: "green is put twice, and the second PUT changes nothing. " +
					"How many events does it make on each server: one, or none?",
				Answer: "None. What changes nothing is no write, and only a write has a version and an event."},
			{Title: "client-go's informer", Run: runInformers,
				Why: "The informer of every controller: it asks for a streaming list, " +
					"and reads until a bookmark tells it that it has everything."},
			{Title: "The window", Run: resume,
				Why: "A server that remembers four changes. " +
					"Six are made, and clients come back with the version that they saw last.",
				Question: "Versions 4 to 7 are remembered. Clients come back with 5, 3 and 2. " +
					"How many of them are told 410: none, one, two?",
				Answer: "One. A client that has seen 3 misses nothing; one that has seen 2 has missed 3, which is forgotten."},
			{Title: "Who has changed it since?", Run: updateTwice,
				Why: "Two clients read an object and both write it. " +
					"The number of the write that each has read decides.",
				Question: "Both clients write from what they read at the same version. " +
					"What is the second told: 200, or 409?",
				Answer: "409 Conflict. It has not seen the first one's write, and only it can decide again."},
		},
		Faults:      failures(),
		Interactive: serve,
	}
}
