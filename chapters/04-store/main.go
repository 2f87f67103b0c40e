// Command 04-store keeps a collection in memory, finds 500 of 50,000 objects without looking at the others, and notices
// a write to an object that was handed out to be read.
//
//	go run ./chapters/04-store                  plays everything
//	go run ./chapters/04-store -list            lists what there is to play
//	go run ./chapters/04-store -fault shared    plays one failure
//	go run ./chapters/04-store -step            waits for Enter, and asks what will happen
//	go run ./chapters/04-store -interactive     stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_fill.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share.
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo(50_000)) }

// demo is the table of contents. Two steps are about as many objects as population says.
func demo(population int) lab.Demo {
	t := &tour{population: population}
	many := thousands(population)
	return lab.Demo{
		Chapter:     "04-store",
		Title:       "one copy of the collection, for everybody who reads it",
		PlaysOnBook: true,
		Steps: []lab.Step{
			{Title: "Fill a store, and read it with listers", Run: fill,
				Why: "client-go's Reflector lists and watches, and writes what it learns into a store. " +
					"The store is this chapter's. Then client-go's lister reads one object twice.",
				Question: "The lister is asked for menu twice. How many objects come back: one, or two that are alike?",
				Answer:   "One. A store keeps a pointer to each object, and hands out that pointer."},
			{Title: "Ask " + many + " objects", Run: t.ask,
				Why: "Made in memory: ConfigMaps of 100 teams, as a label says, in namespaces of 100. " +
					"The store has an index of the teams. The same questions go to client-go's store.",
				Question: "A lister lists with the selector team=team-7, which one object in a hundred matches. " +
					"How many does it look at: those, or all?",
				Answer: "All. There is no index of labels unless somebody adds one, and a selector uses none."},
			{Title: "Read while everything is replaced", Run: t.readWhileReplaced,
				Why: "A new list replaces all " + many + " objects, five times, while somebody reads those of one team. " +
					"Each list has a generation of its own. A read that finds two generations has seen half of a list."},
			{Title: "Write to an object that was handed out", Run: catch,
				Why: "Three parts of a program read a store. One of them changes what it has received. " +
					"A detector stands in front of the store, with a copy of each object.",
				Question: "handOver sets team to blue in the object that it received. " +
					"Where does the index have the object now: under red, or under blue?",
				Answer: "Under red. The index function was asked when the object was put into the store, and not since."},
		},
		Faults: []lab.Fault{
			{Name: "shared", Steps: []lab.Step{{Title: "Two that read, and one of them writes", Run: shared,
				Why: "A program changes an object that came from its store, and no copy of it."}}},
			{Name: "lying-index", Steps: []lab.Step{{Title: "An index that was never told", Run: lyingIndex,
				Why: "The label that an index looks at is changed in the store's own object. " +
					"Then the object is deleted, as the API server would have it."}}},
			{Name: "failing-index", Steps: []lab.Step{{Title: "An index function that fails", Run: failingIndex,
				Why: "The index function wants a number in the label price. An update has a word there."}}},
			{Name: "empty-sets", Steps: []lab.Step{{Title: "Values that never come back", Run: emptySets,
				Why: "100,000 objects come and go, ten at a time, each with an owner of its own, by which they are indexed."}}},
		},
		Interactive: follow,
	}
}
