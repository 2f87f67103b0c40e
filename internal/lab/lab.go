// Package lab is what a chapter's demo needs and what no chapter is about: a cluster, a namespace of its own, a narrator.
//
// A demo is a list of steps:
//
//	func main() { lab.Main(lab.Demo{Chapter: "01-raw-watch", Title: "...", Steps: steps}) }
//
// [Main] reads the flags, finds or starts a cluster ([Connect]), makes a namespace, plays the steps, deletes the namespace
// and exits. It links the standard library and a YAML package, because `go run` is silent while it compiles.
//
// Reading order: lab.go, run.go, cluster.go, narrator.go; the other files are details.
package lab

import (
	"context"
	"flag"
	"time"
)

// StepLimit bounds one step. A step takes about a second, so a step that reaches the limit waits for something that will
// not come, and a demo must never hang in front of a room.
const StepLimit = 30 * time.Second

// Demo is a chapter's narrated program.
type Demo struct {
	// Chapter is the folder's name, "01-raw-watch".
	Chapter string
	// Title says in a few words what the reader is about to see.
	Title string
	// Flags adds the chapter's own flags to -step and -interactive. It may be nil.
	Flags func(*flag.FlagSet)
	// Controllers asks for a running kube-controller-manager. Chapters 01 to 09 do without.
	Controllers bool
	// Steps are played in order. Once the flags are parsed, Pick may choose others.
	Steps []Step
	// Pick returns the steps to play when that depends on the flags. Nil means Steps.
	Pick func() []Step
	// Interactive is what -interactive runs after the steps, until the reader presses Ctrl-C and ctx ends. Nil means that
	// the namespace stays for the reader to look at, and nothing runs.
	Interactive func(ctx context.Context, l *Lab) error
}

// Step is one beat of a demo.
type Step struct {
	// Title is one line, in the imperative.
	Title string
	// Why says what is about to happen and why. It is printed before Run, wrapped.
	Why string
	// Run does it and prints what came back. Its context ends with Ctrl-C and after [StepLimit].
	Run func(ctx context.Context, l *Lab) error
}

// Lab is what a step works with.
type Lab struct {
	*Cluster
	*Narrator
}
