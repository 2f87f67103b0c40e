// Command 16-finalizers deletes objects that stand for something: processes, a set's children, a whole namespace. What
// they stand for is gone first.
//
//	go run ./chapters/16-finalizers                       plays everything
//	go run ./chapters/16-finalizers -list                 lists what there is to play
//	go run ./chapters/16-finalizers -fault someone-elses  plays one failure
//	go run ./chapters/16-finalizers -step                 waits for Enter, and asks what will happen
//	go run ./chapters/16-finalizers -interactive          stays on, to be driven with kubectl and ps
//
// main.go is the table of contents. step1_first.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. deletion/ has the finalizer and the clean-ups;
// scenario/ has controllers that can be killed between them.
package main

import (
	"flag"
	"os"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() {
	machine.RunIfShim()
	scenario.RunIfController(scenario.Pieces{})
	log.SetLogger(logr.Discard()) // controller-runtime's: without this it warns, after half a minute
	klog.SetLogger(logr.Discard())
	lab.Main(demo())
}

// demo is the table of contents.
func demo() lab.Demo {
	t := &tour{root: os.Geteuid() == 0}
	return lab.Demo{
		Chapter:     "16-finalizers",
		Title:       "an object goes when what it stood for is gone",
		Controllers: true, // the garbage collector's and the namespaces'
		Flags: func(f *flag.FlagSet) {
			f.Func("commands", "the programs that may run, as `sleep,sh`; needed if the API server is not on this machine",
				func(list string) error {
					t.commands = strings.Split(list, ",")
					return nil
				})
		},
		Steps: t.steps(),
		Faults: []lab.Fault{
			{Name: "added-too-late", Steps: []lab.Step{{
				Title: "Add the finalizer last", Run: t.addedTooLate,
				Why: "A controller starts the process first, and then adds its finalizer. It is killed in between, and the object is " +
					"deleted."}}},
			{Name: "no-guard", Steps: []lab.Step{{
				Title: "Add a finalizer to what is being deleted", Run: t.noGuard,
				Why: "An object is being deleted, and another controller's finalizer holds it. Then a controller begins that adds its own " +
					"finalizer wherever it is missing, and does not look at the deletionTimestamp."}}},
			{Name: "crash-after-cleanup", Steps: []lab.Step{{
				Title: "Die after the clean-up", Run: t.crashAfterCleanup,
				Why: "A controller is killed when all is cleaned up, and before it has taken the finalizer out. The next one does each " +
					"step of the clean-up again."}}},
			{Name: "controller-gone", Steps: []lab.Step{{
				Title: "Take the controller away first", Run: t.controllerGone,
				Why: "A controller is uninstalled, and then the namespace is deleted in which an object has its finalizer. Somebody takes " +
					"the finalizer out by hand."}}},
			{Name: "stale-remove", Steps: []lab.Step{{
				Title: "Take the finalizer out twice", Run: t.staleRemove,
				Why: "A run has taken the finalizer out. The next run reads the object from a cache that does not know that yet, and " +
					"takes it out again."}}},
			{Name: "someone-elses", Steps: []lab.Step{{
				Title: "Replace the list", Run: t.someoneElses,
				Why: "Two controllers have read one object. Each adds a finalizer of its own with a merge patch, which has the whole " +
					"list in it."}}},
		},
		Interactive: t.follow,
	}
}

func (t *tour) steps() []lab.Step {
	return []lab.Step{
		{Title: "Go last", Run: t.first,
			Why: "Two Processes are deleted whose command takes a second to end. The controller of the first has no finalizer, the " +
				"controller of the second has one.",
			Question: "A Process is deleted, its command takes a second to end, and its controller has no finalizer. What does " +
				"`kubectl get` say half a second later: Running, Terminating, or not found?",
			Answer: "Not found: without a finalizer the API server deletes the object in the request itself. The process still " +
				"runs then."},
		{Title: "Ask", Run: t.ask,
			Why: "No controller runs. An object with a finalizer is deleted, and somebody asks the API server for this and that.",
			Question: "An object is being deleted. Which of these does the API server refuse: a new label, another spec, a second " +
				"finalizer?",
			Answer: "Only the finalizer, with 422. Nobody can take a deletion back, or add a reason to wait; all else goes on as " +
				"before."},
		{Title: "Take it out in six ways", Run: t.ways,
			Why: "A controller has read an object, and takes its finalizer out in one of six ways, and a seventh that only seems to. Meanwhile nothing happens; " +
				"or somebody writes a status; or another controller's finalizer comes, or goes; or this one was taken out before. " +
				"A cell is the answer. lost: another controller's finalizer is gone as well. kept: the answer is ok, and the " +
				"finalizer is still there. anew: there is a new object."},
		{Title: "Fail half-way", Run: t.halfway,
			Why: "A Process is deleted, and the place where its log is to be kept takes nothing. The controller is killed as well. " +
				"Then both are mended."},
		{Title: "Go in order", Run: t.inOrder,
			Why: "A set of three Processes is deleted, each of which takes 0.3 s to end: as kubectl does, in the background, and then " +
				"in the foreground.",
			Question: "A set of three Processes is deleted in the foreground, and its controller deletes them one after the other, " +
				"the last one first. Are they gone in that order?",
			Answer: "No: in the foreground the garbage collector deletes all of them at once, and asks no controller. Which one ends " +
				"first is chance."},
		{Title: "Choose who goes first", Run: t.policies,
			Why: "An owner with two children is deleted with each propagation policy. The children are a and b, and their " +
				"ownerReference may say blockOwnerDeletion. They have a finalizer, which is taken out of a 0.3 s " +
				"after its deletion has begun, and out of b after 0.6 s."},
		{Title: "Delete the namespace", Run: t.namespace,
			Why: "A Process runs in a namespace of its own. Its controller stops, and the namespace is deleted. Later the controller " +
				"begins again."},
	}
}
