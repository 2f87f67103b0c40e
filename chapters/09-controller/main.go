// Command 09-controller runs a whole controller: each ConfigMap that is labelled for it is mirrored into the namespaces
// that ask for mirrors. A source changes, a mirror is damaged and another one deleted, the controller is stopped while
// things happen, a namespace asks no more. Then nothing is to do, and the controller writes nothing.
//
//	go run ./chapters/09-controller                      plays everything
//	go run ./chapters/09-controller -list                lists what there is to play
//	go run ./chapters/09-controller -fault empty-cache   plays one failure
//	go run ./chapters/09-controller -step                waits for Enter, and asks what will happen
//	go run ./chapters/09-controller -interactive         stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_begin.go and its neighbours are the steps, faults.go and what it names are
// what -fault plays, interactive.go what -interactive runs, and setup.go what they share. Who writes, and what stands
// between the controller and the server, is in scenario/. The controller is in mirror/.
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	t := &tour{}
	return lab.Demo{
		Chapter:     "09-controller",
		Title:       "a controller that keeps mirrors of ConfigMaps",
		PlaysOnBook: true,
		Steps:       steps(t),
		Faults:      faults(),
		Interactive: follow,
	}
}

func steps(t *tour) []lab.Step {
	return []lab.Step{
		{Title: "Begin with what is there", Run: t.part(t.begin),
			Why: "There are four namespaces: home, which is the demo's own, and north, south and east beside it. " +
				"north and south ask for mirrors: they have the controller's label. home gets a ConfigMap that is " +
				"labelled as a source. Then the controller begins."},
		{Title: "Change a source", Run: t.part(t.change),
			Why: "menu gets other data. It has two mirrors.",
			Question: "How many GETs does the controller send until both mirrors have the new data: none, two (the " +
				"mirrors), or three (the source, too)?",
			Answer: "None. It reads its caches. A watch of the ConfigMaps that have the controller's label keeps one current, " +
				"a watch of the namespaces the other."},
		{Title: "Damage a mirror, and delete another", Run: t.part(t.damage),
			Why: "Somebody changes the data of north's mirror and labels it. Somebody else deletes south's mirror."},
		{Title: "Be away while it happens", Run: t.part(t.away),
			Why: "The controller is stopped. Meanwhile menu is deleted, rules is created, and east begins to ask for " +
				"mirrors. Then a new controller begins.",
			Question: "menu was deleted while nobody watched, so that no watch will ever tell. What becomes of its " +
				"two mirrors: they stay; they go when somebody touches them; they go now?",
			Answer: "They go now. The first list has them, so each of them leads to a run, and a run asks what should " +
				"be there."},
		{Title: "Ask no more", Run: t.part(t.leave),
			Why: "north loses the label. And soups is created, in whose place in south somebody else's ConfigMap stands."},
		{Title: "Have nothing to do", Run: t.part(t.rest),
			Why: "All is as it should be. Somebody annotates rules twenty times, and then changes its data. At the end the " +
				"demo counts the lines of the controller that it has played.",
			Question: "rules is annotated twenty times, and its data stay. How many writes does the controller make: " +
				"none, two, forty?",
			Answer: "None. A run compares what is with what should be, and the mirrors are right."},
	}
}

func faults() []lab.Fault {
	return []lab.Fault{
		{Name: "edges", Steps: []lab.Step{{Title: "Act on events", Run: edges,
			Why: "This controller mirrors a source when it is told of its creation, and deletes the mirrors when it is " +
				"told of its deletion. It is stopped, menu is deleted, and it begins again."}}},
		{Name: "empty-cache", Steps: []lab.Step{{Title: "Begin with half of the world", Run: emptyCache,
			Why: "All mirrors are right. A controller begins anew. It waits until its cache of ConfigMaps is filled, and " +
				"not for that of namespaces, whose list is late."}}},
		{Name: "own-timestamp", Steps: []lab.Step{{Title: "Note the time on the mirror", Run: ownTimestamp,
			Why: "Each run notes on the mirror when it last looked: an annotation, as somebody might like to see it. " +
				"There is one source and one mirror, and nobody does anything."}}},
		{Name: "stale-cache", Steps: []lab.Step{{Title: "Write from an old read", Run: staleCache,
			Why: "Three controllers differ in one thing: what they do while their cache is behind. Each has written " +
				"north/menu, and the watch has not told of it yet, when the next run comes."}}},
		{Name: "occupied", Steps: []lab.Step{{Title: "Find somebody in the mirror's place", Run: occupied,
			Why: "Somebody has a ConfigMap in north whose name is menu, and nothing to do with the controller. Then " +
				"home gets a source of that name."}}},
	}
}
