// Command help lists the make targets: what `make` alone prints.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { write(os.Stdout) }

// group is a heading of the list and the commands below it.
type group struct {
	title    string
	commands []command
}

// command is what a reader types and what it does; more lines of does continue below the first.
type command struct {
	typed string
	does  []string
}

var groups = []group{
	{"For learners", []command{
		{"go run ./chapters/01-raw-watch", []string{"run a chapter; -step waits for Enter, -interactive stays on"}},
		{"make grade CH=01", []string{"grade your answers of a chapter (no CH: all, EX=01.2: one)",
			"WATCH=1 grades again whenever you save"}},
		{"make hint EX=01.2", []string{"the next hint for the stage at hand; in the end its solution", "LEVEL=1 gives the first one again, STAGE=3 those of a stage"}},
		{"make reset EX=01.2", []string{"start an exercise again"}},
		{"make symptom FILE=controller.log", []string{"what a log's messages mean, and the chapters that reproduce them"}},
		{"make doctor", []string{"what this machine lacks, and what to do about it"}},
	}},
	{"The cluster", []command{
		{"make up", []string{"start a control plane that lasts; chapters then run on it"}},
		{"make status", []string{"what runs, and how to point kubectl at it"}},
		{"make down", []string{"stop it and delete what is in it"}},
		{"go run ./scripts/kubectl get cm", []string{"kubectl at the pinned version, on that control plane"}},
		{`make faults SCRIPT="1.3 cut"`, []string{"put the fault proxy in front of it, for your own controller",
			"(or SEED=7, RESOURCE=pods; alone: the faults): docs/faults.md"}},
		{"make kind-up", []string{"create a kind cluster (needs Docker); then CLUSTER=kind ..."}},
		{"make kind-down", []string{"delete it"}},
	}},
	{"For courses and workshops", []command{
		{"make grade FROM=DIR JSON=r.json", []string{"grade a submission, or with EACH=1 a class; also",
			"JUNIT=, STRICT=1, STAGES=2: docs/courses.md"}},
		{"make bundle", []string{"one archive that sets up a room without a network"}},
		{"make bundle-unpack FILE=...", []string{"set this machine up from it"}},
	}},
	{"For authors", []command{
		{"make test", []string{"the chapters' tests; CH=01, RUN=Name, COUNT=20"}},
		{"make test-authors", []string{"those of what holds them up: servers, commands, graders"}},
		{"make test-kind", []string{"the same tests on kind"}},
		{"make verify-exercises", []string{"prove the graders on right and wrong answers (CH=, EX=)"}},
		{"make wrong EX=01.2 FILE=a.go", []string{"make a wrong solution of an answer; NAME=belief"}},
		{"make upstream-tests", []string{"client-go's own tests on ours; RACE=1, MECHANISM=fifo, RUN=Name"}},
		{"make check", []string{"what keeps the documents true; FIX=1 mends, QUICK=1 is short"}},
		{"make record CH=01", []string{"run a lesson's commands and rewrite their output in it"}},
		{"make bench CH=01", []string{"measure ours beside upstream; UPDATE=1 writes docs/numbers.md"}},
		{"make pins", []string{"the pinned versions; `go run ./scripts/pins bump` moves them"}},
		{"make new-chapter NAME=20-webhooks", []string{"a new chapter; EX=2-index one more exercise of it"}},
	}},
	{"", []command{
		{"make help", []string{"this list; `make -n TARGET` prints a target's go command"}},
	}},
}

func write(w io.Writer) {
	const typed = 34
	fmt.Fprintln(w, "Controllers from Scratch: the machinery inside a Kubernetes controller, built by hand.")
	for _, g := range groups {
		fmt.Fprintln(w)
		if g.title != "" {
			fmt.Fprintln(w, g.title)
		}
		for _, c := range g.commands {
			left := c.typed
			for _, line := range c.does {
				fmt.Fprintf(w, "  %-*s%s\n", typed, left, line)
				left = ""
			}
		}
	}
}
