// Command 14-owned-objects keeps as many children as a set asks for, with a watch that is late, answers that get lost
// and a second controller, in seven ways, and counts what each makes too many and deletes too many.
//
//	go run ./chapters/14-owned-objects                       plays everything
//	go run ./chapters/14-owned-objects -on book              on chapter 07's informer and chapter 08's queue
//	go run ./chapters/14-owned-objects -list                 lists what there is to play
//	go run ./chapters/14-owned-objects -fault lost-answer    plays one failure
//	go run ./chapters/14-owned-objects -step                 waits for Enter, and asks what will happen
//	go run ./chapters/14-owned-objects -interactive          stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_own.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. The controller is in owned/; scenario/ has what
// makes its watch late, and the seven ways.
package main

import (
	"flag"

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
	t := &tour{}
	return lab.Demo{
		Chapter:     "14-owned-objects",
		Title:       "as many children as a set asks for, and no more",
		Controllers: true, // step 5 and 6 are about the garbage collector
		Flags: func(f *flag.FlagSet) {
			f.Func("on", "what the controller stands on: `upstream` or book, chapter 07's informer and 08's queue", t.choose)
		},
		Steps: t.steps(),
		Faults: []lab.Fault{
			{Name: "generate-name", Steps: []lab.Step{{
				Title: "Have the API server make up the names", Run: t.generateName,
				Why: "A set of one. Its controller has the API server make up the name, and its watch of Processes is late. " +
					"Somebody begins to use the child that is there."}}},
			{Name: "lost-answer", Steps: []lab.Step{{
				Title: "Lose an answer", Run: t.lostAnswer,
				Why: "A set of two is made by expectations, and then by names. The answer to the second create gets lost: " +
					"the API server has done it."}}},
			{Name: "two-controllers", Steps: []lab.Step{{
				Title: "Run twice", Run: t.twoControllers,
				Why: "Two controllers work for one set of two: the old one of a deployment has not ended yet. Neither knows of " +
					"what the other expects."}}},
			{Name: "stale-adoption", Steps: []lab.Step{{
				Title: "Adopt for a set that is gone", Run: t.staleAdoption,
				Why: "The same as step 5, with a controller that believes its cache. It may take half a minute: that is how often the " +
					"garbage collector looks for new kinds."}}},
			{Name: "foreground", Steps: []lab.Step{{
				Title: "Make children for a set that is going", Run: t.foreground,
				Why: "The same as the last part of step 6, with a controller that does not look at the deletionTimestamp. It may take " +
					"half a minute: that is how often the garbage collector looks for new kinds."}}},
			{Name: "namesake", Steps: []lab.Step{{
				Title: "Take over by name", Run: t.namesake,
				Why: "A set is deleted, its Processes stay, and somebody makes another set of the same name. A controller calls " +
					"controllerutil.SetControllerReference before it writes a Process, as most do."}}},
		},
		Interactive: t.follow,
	}
}

func (t *tour) steps() []lab.Step {
	return []lab.Step{
		{Title: "Own", Run: t.own,
			Why: "A set of three is created, one of its Processes is deleted, and it is scaled to two. What its controller writes " +
				"is shown."},
		{Title: "Be late", Run: t.late,
			Why: "The watch of Processes shows nothing for a while. A set of two is created, and then edited: two runs. First a " +
				"controller that counts what its cache has, then this chapter's.",
			Question: "A controller counts what its cache has. It runs twice for a set of two, and its cache is empty both times. " +
				"How many Processes are there: two, three, or four?",
			Answer: "Four. Each run makes the two that it does not see."},
		{Title: "Count in seven ways", Run: t.ways,
			Why: "Seven controllers meet four troubles each. late watch: a set of five is created, and edited three times while the " +
				"watch shows nothing; then it shows one event after the other. lost answer: the same, and the answer to the " +
				"fifth create gets lost. two at once: the same, with two controllers. fewest: a set that has five is scaled to 2. " +
				"A number is how many were alive at one time, the most or the fewest; right are 5, 5, 5 and 2. refused are the " +
				"creates and deletions that the API server refused in all four, and runs is how many runs there were.",
			Question: "A set of five is made, and the answer to the fifth create gets lost. Which controller makes no sixth child: " +
				"one that computes the names, one with expectations, or one that waits until its cache has the version that it " +
				"wrote last?",
			Answer: "The one that computes the names. The other two are told that the create has failed, and know of nothing to wait " +
				"for."},
		{Title: "Claim", Run: t.claim,
			Why: "The set shop wants three Processes, and selects app=shop. Three are there before it: stray, which it selects; lone, " +
				"which it does not select; and foreign, which it selects, and which another set controls. Then one of its own " +
				"gets another label."},
		{Title: "Ask before adopting", Run: t.askFirst,
			Why: "A set of two is deleted, and its Processes are to stay: kube-controller-manager's garbage collector takes the " +
				"references to the set out of them. The controller's watch of ProcessSets is late. Its cache still has the set, " +
				"and two orphans that match.",
			Question: "The cache has the set, and two Processes without an owner that its selector matches. Is it right to " +
				"adopt them?",
			Answer: "Not by the cache alone. The set may be gone, and what is adopted for a set that is gone is deleted."},
		{Title: "Let go", Run: t.letGo,
			Why: "Three sets of two are deleted: in the background, which is the default, with orphan, and in the foreground. Left are " +
				"the Processes that outlive the set; made meanwhile are those that its controller creates after the deletion."},
		{Title: "Say how it is", Run: t.sayHow,
			Why: "A set of two, of which nobody runs the Processes: somebody writes into their status that they run, or have " +
				"failed. Then it is scaled, while its controller is stopped."},
	}
}
