// Command 13-watches-and-indexes has a controller hear of other objects than its own: which key an event becomes, which
// events pass, how a map function finds the keys, and what all that costs.
//
//	go run ./chapters/13-watches-and-indexes                   plays everything
//	go run ./chapters/13-watches-and-indexes -list             lists what there is to play
//	go run ./chapters/13-watches-and-indexes -objects 10000    plays it with ten times as many objects
//	go run ./chapters/13-watches-and-indexes -fault everything plays one failure
//	go run ./chapters/13-watches-and-indexes -step             waits for Enter, and asks what will happen
//	go run ./chapters/13-watches-and-indexes -interactive      stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_route.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. The objects, what handlers were told and what a
// cache costs are in scenario/. The handlers, predicates, channel and index are in routing/.
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
	t := &tour{objects: 1000}
	return lab.Demo{
		Chapter: "13-watches-and-indexes",
		Title:   "which event becomes which key, and what it costs to know",
		Flags: func(f *flag.FlagSet) {
			f.Func("objects", "how many Processes are looked through in steps 5 and 6: 100 to 10000 (default 1000)", t.many)
		},
		Steps: steps(t),
		Faults: []lab.Fault{
			{Name: "everything", Steps: []lab.Step{{Title: "Read one, and keep all", Run: everything,
				Why: "A run reads one Secret, by its name. It is asked of four clients. Their caches have the run's namespace alone, or " +
					"everybody's Secrets would be read; unless told, a cache has all namespaces."}}},
			{Name: "generation", Steps: []lab.Step{{Title: "Sleep through a change", Run: noGeneration,
				Why: "Two controllers watch ConfigMaps and Processes, each with another predicate."}}},
			{Name: "no-index", Steps: []lab.Step{{Title: "Ask for what is not indexed", Run: noIndex,
				Why: "A map function finds the ProcessSets that use a ConfigMap by a field. Nobody has made its index."}}},
			{Name: "standby", Steps: []lab.Step{{Title: "Tell a standby", Run: onStandby,
				Why: "Two replicas of a program elect a leader. Something outside notifies both, and then the leader ends."}}},
			{Name: "ask", Steps: []lab.Step{{Title: "Ask at each event", Run: asking,
				Why: "A map function asks the API server for all ProcessSets, and keeps those that use the ConfigMap."}}},
		},
		Interactive: follow,
	}
}

func steps(t *tour) []lab.Step {
	return []lab.Step{
		{Title: "Route events to keys", Run: t.route,
			Why: "A controller of ProcessSets watches three kinds. Somebody writes, and for each write the table shows which keys " +
				"the handler of that kind has put into the queue."},
		{Title: "Map what was, and what is", Run: t.both,
			Why: "Two controllers count the Processes that use each ConfigMap. Both watch Processes, and map one to the ConfigMaps " +
				"that it uses. The function of the first is asked about the object as it was and as it is, that of the " +
				"second about the new one alone.",
			Question: "A Process used menu and wine, and now uses wine alone. For which ConfigMaps does the first controller get a " +
				"run: menu, wine, or both?",
			Answer: "Both. The function is asked twice, and each key that comes of it is added once."},
		{Title: "Let events pass", Run: t.pass,
			Why: "Each event below comes from an informer. Each predicate is asked about it. The cache is resynced every 300 ms, and " +
				"not every ten hours.",
			Question: "A Process with a finalizer is deleted: it gets a deletionTimestamp, and stays. Does GenerationChanged let " +
				"that update pass?",
			Answer: "Yes. The API server counts a generation for it, as for a change of the spec."},
		{Title: "Be told from elsewhere", Run: t.notify,
			Why: "Something that is no API server sends a controller 10 000 notifications about 100 keys. A run takes a millisecond. " +
				"Once the controller has not been started, and once it runs."},
		{Title: "Find who uses it", Run: t.find,
			Why: "Which Processes use a ConfigMap? A map function asks that at each event of one. It is asked here in five ways."},
		{Title: "Pay for a watch", Run: t.watch,
			Why: "The same Processes are put into a cache in five forms: Go structs, nested maps (Unstructured), metadata alone, Go " +
				"structs that a Transform strips of environment and managed fields, and Go structs of the one in ten that has a " +
				"label. Bytes are those that come until the cache is filled, heap is what is in use then and was not before, and " +
				"of a change is the mean of ten.",
			Question: "A Transform strips each Process. Does that make fewer bytes on the wire, less heap, or both?",
			Answer:   "Less heap. The informer calls it with what has come."},
		{Title: "Ask once", Run: t.ask,
			Why: "Is there a ConfigMap in this namespace? One would do, so the list is asked for with a limit of 1. What each way sends " +
				"is shown as it is sent. The client is one that caches nested maps, too, which it does if it is told."},
	}
}
