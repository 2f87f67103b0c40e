// Command 12-writes changes objects in each way that there is, from several programs at the same time, and counts
// what is lost, what is refused and what is sent.
//
//	go run ./chapters/12-writes                plays everything
//	go run ./chapters/12-writes -list          lists what there is to play
//	go run ./chapters/12-writes -fault fight   plays one failure
//	go run ./chapters/12-writes -step          waits for Enter, and asks what will happen
//	go run ./chapters/12-writes -interactive   stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_lose.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. The writers, and what knows what should have
// come of them, are in scenario/. The ways to write are in writes/, and code that is published and fails in published/.
package main

import (
	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() {
	log.SetLogger(logr.Discard()) // controller-runtime's: without this it warns, after half a minute
	klog.SetLogger(logr.Discard())
	lab.Main(demo())
}

// demo is the table of contents.
func demo() lab.Demo {
	return lab.Demo{
		Chapter: "12-writes",
		Title:   "eleven ways to change an object, and what each loses",
		Steps:   steps(),
		Faults: []lab.Fault{
			{Name: "finalizer", Steps: []lab.Step{{Title: "Lose a finalizer", Run: finalizer,
				Why: "Two controllers have to clean up before a Process goes, and so each adds its finalizer. Both have read the " +
					"Process before either has written."}}},
			{Name: "fight", Steps: []lab.Step{{Title: "Insist, both of two", Run: fight,
				Why: "Two controllers in one program want another grace period each for the same Process, and write it whenever " +
					"it is not theirs."}}},
			{Name: "retry", Steps: []lab.Step{{Title: "Try again over a cache", Run: stubborn,
				Why: "A program reads a Process from a cache, changes it, updates it, and does so again after a conflict."}}},
			{Name: "loop", Steps: []lab.Step{{Title: "Write what is always new", Run: loop,
				Why: "A controller writes into the status how often it has looked at the object. Another one writes what it has " +
					"found."}}},
			{Name: "old-type", Steps: []lab.Step{{Title: "Know a field less", Run: oldType,
				Why: "A program was built when Process had no field env. It reads a Process that has one, and changes the grace " +
					"period."}}},
		},
		Interactive: follow,
	}
}

func steps() []lab.Step {
	return []lab.Step{
		{Title: "Lose an update", Run: lose,
			Why: "Two programs, ann and bob, read the same PodTemplate. ann sets its hostname, bob its subdomain. Both write " +
				"after both have read. Of a whole object the version and these two are shown, where it has them."},
		{Title: "Write in each way", Run: ways,
			Why: "The same two programs, in eleven ways: they set two fields, set one field to different values, add one to a " +
				"counter, or add an element each to a list. both: what both wanted is there. lost: both were told that it " +
				"was accepted. A number: the code with which one was refused. At the end the two fields of the book's own kind.",
			Question: "Two programs apply a counter that both have read as nothing: each says 1. Is the second refused with 409, " +
				"is the counter 2, or is it 1?",
			Answer: "It is 1, and neither is refused. Apply compares who owns a value and not from what it was made, and two who " +
				"say the same agree."},
		{Title: "Race", Run: race,
			Why: "Eight programs add one to the counter of a PodTemplate, five times each, and write the number of their round " +
				"into an annotation of their own. Who is refused reads and writes again. Nobody waits for anybody."},
		{Title: "Own a field", Run: own,
			Why: "ann and bob apply fields of one Process, and kim patches one. After each write the table shows what the fields " +
				"are, and who owns them by metadata.managedFields.",
			Question: "ann has applied env TZ. She applies the Process again, and says nothing of TZ. Does TZ stay, does it go, or " +
				"is she refused?",
			Answer: "It goes: she was its only owner. bob's LANG, in the same list, stays."},
		{Title: "Write each part by its URL", Run: apart,
			Why: "A ProcessSet has a label, a spec, a status and the subresource scale. Each request below wants to write one " +
				"number to all of them."},
		{Title: "Run what is published", Run: asPublished,
			Why: "Three pieces of code that many pages have, each followed by a form that works. Each gets a Process that was just " +
				"read. Before the last two, somebody else labels it after that read."},
		{Title: "End between two writes", Run: crash,
			Why: "A run starts a process, which is one number more here, and has its PID for the status and a label for the object. " +
				"Saving both is two requests. A program that ends after the first one is started again. Base is this chapter's, and " +
				"CreateOrPatch is controller-runtime's.",
			Question: "A program has ended after one of its two writes. After which one does its successor find no PID: that of " +
				"the status, or that of the label?",
			Answer: "That of the label. It then starts a second process, and nobody knows of the first one any more."},
	}
}
