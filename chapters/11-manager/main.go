// Command 11-manager runs chapter 09's controller on controller-runtime, and opens what it then runs on: in which order
// a manager starts and stops its parts, what each result of a run does to the queue, who shares an informer, what a
// standby holds, and what a read after a write shows.
//
//	go run ./chapters/11-manager                plays everything
//	go run ./chapters/11-manager -list          lists what there is to play
//	go run ./chapters/11-manager -parts book    plays it on the book's informer and queue
//	go run ./chapters/11-manager -fault panic   plays one failure
//	go run ./chapters/11-manager -step          waits for Enter, and asks what will happen
//	go run ./chapters/11-manager -interactive   stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_again.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. The namespaces, what was sent and what was
// logged are in scenario/. The controller is in managed/, and what looks into a manager in opened/.
package main

import (
	"flag"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

func main() {
	opened.Global(nil)             // controller-runtime's own log: without this it warns, after half a minute
	klog.SetLogger(logr.Discard()) // client-go's: it says at length which event came too late to be written
	lab.Main(demo())
}

// demo is the table of contents.
func demo() lab.Demo {
	t := &tour{}
	return lab.Demo{
		Chapter: "11-manager",
		Title:   "a controller on a manager, and the manager opened",
		Flags: func(f *flag.FlagSet) {
			f.Var(&t.parts, "parts",
				"whose informer and queue the managers run on: upstream, or book (chapters 07 and 08)")
		},
		Controllers: true,
		Steps:       steps(t),
		Faults:      faults(t),
		Interactive: t.follow,
	}
}

func steps(t *tour) []lab.Step {
	return []lab.Step{
		{Title: "Run chapter 09's controller on a manager", Run: t.again,
			Why: "home, north and south are the namespaces of chapter 09, and so is what a run decides. Informers, " +
				"queue, workers, start and end are a manager's now. At the end the demo counts the lines of both " +
				"programs."},
		{Title: "Start, and stop", Run: t.order,
			Why: "A manager gets a recorder for each group of parts that it knows, and a controller. They are " +
				"added in another order than they are started in. It is played seven times, and the order is that " +
				"of most.",
			Question: "A manager is told to stop. When does it give the Lease back: at once, when its controllers " +
				"have stopped, or when everything has?",
			Answer: "When everything has, or after 30 seconds. Until then nobody else is the leader. So a part that " +
				"is slow to stop keeps the next leader waiting."},
		{Title: "Return something", Run: t.results,
			Why: "A controller gets one key for each way in which a run can end. What it then does to its queue is " +
				"recorded, with the times of the first runs.",
			Question: "A run returns RequeueAfter: 1h together with an error. When is the next run: at once, " +
				"after some milliseconds, after an hour?",
			Answer: "After some milliseconds. With an error RequeueAfter is ignored, and the queue's limiter " +
				"decides."},
		{Title: "Share an informer", Run: t.share,
			Why: "Four controllers of one manager watch the ConfigMaps of this run: two as Go structs, one as " +
				"nested maps, one with their metadata alone. Then somebody reads a Secret."},
		{Title: "Stand by", Run: t.standby,
			Why: "Three managers want one Lease. The first has it. The second waits for it, and so does the third, " +
				"whose controller has EnableWarmup. What each asks the API server is counted.",
			Question: "How many watches does the second manager hold while it waits: none, one, or as many as the " +
				"first?",
			Answer: "None. Its cache was started, but nobody has asked the cache for an informer: a controller's " +
				"sources do that, and they start with the controller."},
		{Title: "Read what was written", Run: t.stale,
			Why: "A client of the manager writes a ConfigMap and reads it again, while the watch that feeds its " +
				"cache is held back. Once as it comes, and once with EnableReadYourWritesConsistency."},
		{Title: "Look at kube-controller-manager", Run: kubeControllerManager,
			Why: "It is older than managers and has one process for all of its controllers. What it logged at its " +
				"start is beside what a manager does."},
	}
}

func faults(t *tour) []lab.Fault {
	return []lab.Fault{
		{Name: "panic", Steps: []lab.Step{{Title: "Panic in a run", Run: t.panics,
			Why: "One key makes its run panic, and another one does not. One worker has both."}}},
		{Name: "never-syncs", Steps: []lab.Step{{Title: "Wait for a cache that is never filled", Run: t.neverSyncs,
			Why: "Two managers have a controller each. One watches a kind that is not served, the other ConfigMaps, " +
				"as a user who may not list them. CacheSyncTimeout is 2 minutes unless told, and 1 second here."}}},
		{Name: "lost-lease", Steps: []lab.Step{{Title: "Lose the Lease", Run: t.lostLease,
			Why: "A manager has the Lease, and a run is under way. From then on the API server does not answer what " +
				"is about the Lease."}}},
		{Name: "same-name", Steps: []lab.Step{{Title: "Give two controllers one name", Run: t.sameName,
			Why: "A second controller is made with the name of the first."}}},
		{Name: "generation", Steps: []lab.Step{{Title: "Filter by generation", Run: t.generation,
			Why: "Two controllers watch ConfigMaps. The second has a predicate that many use against events which " +
				"change no spec: GenerationChangedPredicate. menu gets other data, and later a deletion."}}},
	}
}
