// Command 08-workqueue runs an informer's handler, a queue and four workers: 10,000 updates of ten ConfigMaps, a key
// that changes while a worker has it, one that comes later, one that fails. Then two queues shut down, and one has
// priorities.
//
//	go run ./chapters/08-workqueue                      plays everything
//	go run ./chapters/08-workqueue -list                lists what there is to play
//	go run ./chapters/08-workqueue -fault no-queue      plays one failure
//	go run ./chapters/08-workqueue -step                waits for Enter, and asks what will happen
//	go run ./chapters/08-workqueue -interactive         stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_collapse.go and its neighbours are the steps, faults.go and what it names are
// what -fault plays, interactive.go what -interactive runs, and setup.go what they share. The informer, the workers and
// the writer are in scenario/.
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo { return demoOf(1000) }

// demoOf is the demo with so many updates of each object.
func demoOf(updates int) lab.Demo {
	t := &tour{updates: updates}
	return lab.Demo{
		Chapter:     "08-workqueue",
		Title:       "a queue of keys, and four workers",
		PlaysOnBook: true,
		Steps:       steps(t),
		Faults:      faults(),
		Interactive: follow,
	}
}

func steps(t *tour) []lab.Step {
	return []lab.Step{
		{Title: "Collapse many updates", Run: t.part(t.collapse),
			Why: "Each of ten ConfigMaps is updated 1000 times, as fast as the server takes it, and for 18 s at most. " +
				"An informer's handler adds the key of each update to a queue. Four workers get keys, and need 50 ms " +
				"for a run.",
			Question: "How many runs will there be: one for each update, one for each key, or as many as the workers " +
				"have time for?",
			Answer: "As many as the workers have time for. While a key waits, adding it again changes nothing."},
		{Title: "Change what a worker has", Run: t.part(t.meanwhile),
			Why: "One worker is held in a run with menu. Meanwhile menu is updated three times.",
			Question: "A key is added three times while a worker has it. How often is it handed out after that: " +
				"never, once, three times?",
			Answer: "Once, when that worker is done. Until then nobody else gets it."},
		{Title: "Come later", Run: t.part(t.later),
			Why: "hours is to be looked at later: AddAfter is called three times. Then AddAfter and Add are called.",
			Question: "hours is added after 400 ms, then after 200 ms, then after 600 ms. When is it handed out: " +
				"after 200 ms, after 600 ms, at all three times?",
			Answer: "After 200 ms. A key waits once, and the earliest time holds."},
		{Title: "Fail", Run: t.part(t.fail),
			Why: "soups is to fail eight times. After each failure its worker calls AddRateLimited, and after the " +
				"success Forget."},
		{Title: "Shut down", Run: shutDown,
			Why: "Two queues are shut down in two ways, while four workers are busy, six keys are in the line, and " +
				"one waits for its time."},
		{Title: "Put first what is new", Run: urgent,
			Why: "A controller has just begun. One worker is held in its first run, and the rest of the initial list " +
				"waits. Now pies is created. This happens to two queues, one with priorities."},
	}
}

func faults() []lab.Fault {
	return []lab.Fault{
		{Name: "add-in-place-of-rate-limited", Steps: []lab.Step{{Title: "Try again at once", Run: hotLoop,
			Why: "A run wants to create menu, but somebody else has: the server refuses, each time. The worker adds " +
				"the key again, for a second by Add, and for a second by AddRateLimited."}}},
		{Name: "no-queue", Steps: []lab.Step{{Title: "Three ways to call a function", Run: noQueue,
			Why: "Whenever menu changes, a run reads it and writes its number into a copy. Three programs do so, " +
				"each in its way. The first run of each is slow. menu is then updated twice."}}},
		{Name: "done-forgotten", Steps: []lab.Step{{Title: "Fail without Done", Run: doneForgotten,
			Why: "A worker calls Done after a run that succeeds, and not after one that fails. A run with menu fails " +
				"once. Then menu and hours are updated three times."}}},
		{Name: "forget-forgotten", Steps: []lab.Step{{Title: "Succeed without Forget", Run: forgetForgotten,
			Why: "menu is updated eight times. Each time the first run fails, and the second succeeds. One program " +
				"calls Forget after a success, and another one does not."}}},
		{Name: "starved", Steps: []lab.Step{{Title: "Wait behind what is never empty", Run: starved,
			Why: "Nine of ten objects are updated, and from then on looked at again and again: their priority is 0. " +
				"One worker has no time for more. wines came with the initial list, and does not change. How often " +
				"is it processed within a second?"}}},
	}
}
