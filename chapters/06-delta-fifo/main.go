// Command 06-delta-fifo feeds what the API server sends to two queues: the one that client-go's informers had for ten
// years, and the one that they have now. Then it pops both, and shows side by side what comes out.
//
//	go run ./chapters/06-delta-fifo                      plays everything
//	go run ./chapters/06-delta-fifo -list                lists what there is to play
//	go run ./chapters/06-delta-fifo -fault lost-delete   plays one failure
//	go run ./chapters/06-delta-fifo -step                waits for Enter, and asks what will happen
//	go run ./chapters/06-delta-fifo -interactive         stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_fill.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. The Reflector, the consumers and the writer are
// in scenario/.
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	return lab.Demo{
		Chapter:     "06-delta-fifo",
		Title:       "what waits between the watch and the handlers",
		PlaysOnBook: true,
		Steps: []lab.Step{
			{Title: "Fill both queues, then pop them", Run: fill,
				Why: "client-go's Reflector lists and watches, and each of its calls goes to both queues. " +
					"Nobody pops until all has been written.",
				Question: "menu is listed, and then updated twice while nobody pops. " +
					"How many of its three versions does DeltaFIFO hand out: the last, the last two, all three?",
				Answer: "All three, in one Pop. It merges nothing but two deletions in a row."},
			{Title: "Lose a deletion", Run: lose,
				Why: "The Reflector now watches through a fault proxy. The watch expires in place of the event " +
					"that tells that menu is gone, and the Reflector lists again.",
				Question: "Which of the two queues hands out a deletion of menu: DeltaFIFO, RealFIFO, both?",
				Answer: "DeltaFIFO alone. RealFIFO hands out the whole list, " +
					"and its consumer finds what is not in it."},
			{Title: "Pop in batches, with a resync at the end", Run: batches,
				Why: "Four writes to three objects, and then the call that a Reflector makes when it is time to resync. " +
					"DeltaFIFO is popped as before, RealFIFO in batches."},
			{Title: "Write while a handler works", Run: wait,
				Why: "A handler works on menu. Meanwhile hours is written, and the Reflector has the next event for the queue. " +
					"The handler goes on for half a second.",
				Question: "Which queue keeps the Reflector waiting until the handler has returned: DeltaFIFO, RealFIFO, both?",
				Answer:   "DeltaFIFO alone. It holds its lock while the handler works; RealFIFO gives it back."},
		},
		Faults: []lab.Fault{
			{Name: "lost-delete", Steps: []lab.Step{{Title: "A handler that expects its own type", Run: lostDelete,
				Why: "client-go's informer, behind the fault proxy. menu is updated, the watch expires in place of " +
					"that event, and menu is deleted before the informer lists again."}}},
			{Name: "failed-process", Steps: []lab.Step{{Title: "A Pop that fails", Run: failedProcess,
				Why: "The function that processes a delta returns an error, once. Then everything works again."}}},
			{Name: "two-consumers", Steps: []lab.Step{{Title: "Two that pop one queue", Run: twoConsumers,
				Why: "menu is updated twice. The consumer that has the first update is slow to write it to the store."}}},
			{Name: "no-known-objects", Steps: []lab.Step{{Title: "A queue with nothing to compare with",
				Run: noKnownObjects,
				Why: "The same loss as in step 2, for a DeltaFIFO that was made without KnownObjects, and for RealFIFO."}}},
		},
		Interactive: follow,
	}
}
