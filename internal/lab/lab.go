// Package lab is what a chapter's demo needs and what no chapter is about: a cluster, a namespace of its own, a
// narrator.
//
// A demo is a value. What its steps share is in a type of the chapter's, and the steps are that type's methods:
//
//	func main() { lab.Main(demo()) }
//
//	func demo() lab.Demo {
//		t := &tour{}
//		return lab.Demo{Chapter: "01-raw-watch", Title: "...", Steps: []lab.Step{{Title: "List", Run: t.list}}}
//	}
//
// [Main] reads the flags, finds or starts a cluster ([Connect]), makes a namespace, plays the steps, deletes the
// namespace and exits. It links the standard library and a YAML package, because `go run` is silent while it compiles.
//
// Reading order: lab.go, run.go, play.go, cluster.go, narrator.go, aloud.go; the other files are details.
package lab

import (
	"context"
	"flag"
	"time"
)

// StepLimit bounds one step. A step takes about a second; one that writes ten thousand times, or plays a table to seven
// controllers, takes 20 s, three times that on a machine that builds something, and more than two minutes on one where
// five programs compete for each processor. So a step that reaches the limit waits for something that will not come,
// and a demo must never hang in front of a room.
const StepLimit = 5 * time.Minute

// Demo is a chapter's narrated program. It is played once: a second run needs a second value.
type Demo struct {
	// Chapter is the folder's name, "01-raw-watch".
	Chapter string
	// Title says in a few words what the reader is about to see.
	Title string
	// Flags adds the chapter's own flags to those of the lab. It may be nil. What they are read into is a field of the
	// value that the steps share.
	Flags func(*flag.FlagSet)
	// Controllers asks for a running kube-controller-manager. Chapters 01 to 09 do without.
	Controllers bool
	// PlaysOnBook says that chapter 03's API server has all that the demo needs: CLUSTER=book plays it there, and so
	// does a first run, before the real servers are built.
	PlaysOnBook bool
	// Steps are played in order.
	Steps []Step
	// Faults are what -fault NAME plays in place of the steps.
	Faults []Fault
	// FaultFor makes a fault of what -fault was given that is no name in Faults: a script. Nil refuses it.
	FaultFor func(text string) (Fault, error)
	// FaultText is an example of such a script, for the usage.
	FaultText string
	// Interactive is what -interactive runs after the steps, until the reader presses Ctrl-C and ctx ends. Nil means
	// that the namespace stays for the reader to look at, and nothing runs.
	Interactive func(ctx context.Context, l *Lab) error
}

// Step is one beat of a demo.
type Step struct {
	// Title is one line, in the imperative.
	Title string
	// Question has the reader predict what the step shows, among few possible answers; -step asks it before the step,
	// and gives the Answer when the step has shown what it has to show, before its last conclusion. Both are empty for
	// most steps: a chapter has three questions at most.
	Question, Answer string
	// Why says what is about to happen and why. It is printed before Run, wrapped.
	Why string
	// Run does it and prints what came back. Its context ends with Ctrl-C and after [StepLimit].
	Run func(ctx context.Context, l *Lab) error
}

// Fault is a failure that a reader can look at.
type Fault struct {
	// Name is what -fault calls it: a word.
	Name string
	// Steps are played in place of the demo's.
	Steps []Step
	// First is the number of the first of them when they are the demo's own, played in other circumstances: a step
	// keeps its number. 0 means that they are other steps.
	First int
}

// Lab is what a step works with.
type Lab struct {
	*Cluster
	*Narrator
}
