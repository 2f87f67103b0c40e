// Command 07-shared-informer runs one informer with several handlers: one works, one is stuck, one comes late. It shows
// side by side what the store has and what each of them knows.
//
//	go run ./chapters/07-shared-informer                            plays everything
//	go run ./chapters/07-shared-informer -list                      lists what there is to play
//	go run ./chapters/07-shared-informer -fault synced-too-early    plays one failure
//	go run ./chapters/07-shared-informer -step                      waits for Enter, and asks what will happen
//	go run ./chapters/07-shared-informer -interactive               stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_share.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. The handlers, the board and the writer are in
// scenario/.
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	t := newTour()
	return lab.Demo{
		Chapter:     "07-shared-informer",
		Title:       "one watch for many handlers",
		PlaysOnBook: true,
		Steps: []lab.Step{
			{Title: "Share a list", Run: t.part(t.share),
				Why: "Two handlers of one informer: fast works, and stuck does not return from its first call. " +
					"A number is the resourceVersion in which somebody has an object."},
			{Title: "Write while a handler is stuck", Run: t.part(t.stick),
				Why: "stuck is still in its first call. menu is updated twice, hours created, and prices deleted.",
				Question: "While stuck is in its first call, four changes come. What does fast learn of them: " +
					"nothing until stuck returns, the first, all four?",
				Answer: "All four. Each handler has a buffer of its own, and nobody waits for another."},
			{Title: "Join late", Run: t.part(t.join),
				Why: "A third handler joins while the informer runs. Then menu is updated once more, and at last " +
					"stuck goes on.",
				Question: "menu was created once and updated twice. What is late told of it when it joins: " +
					"nothing, one OnAdd, an OnAdd and two OnUpdates?",
				Answer: "One OnAdd, with menu as it is now. The store knows no history."},
			{Title: "Miss what happens", Run: miss,
				Why: "The informer now watches through a fault proxy, and its watch expires. Before it lists again, " +
					"prices is deleted, and menu is deleted and created again.",
				Question: "menu is deleted and created again before the next list. What is the handler told of it: " +
					"OnDelete and OnAdd, OnUpdate, nothing?",
				Answer: "OnUpdate, with two objects of different UIDs. Objects are compared by name."},
			{Title: "Leave", Run: leave,
				Why: "Two handlers are removed in two ways, while each is in a call and two more wait for it."},
		},
		Faults: []lab.Fault{
			{Name: "stripped-versions", Steps: []lab.Step{{Title: "Objects without a version", Run: strippedVersions,
				Why: "A transform takes the resourceVersion from each object, to save memory. One handler wants no " +
					"resync, and another one wants one each second. What does the first hear?"}}},
			{Name: "synced-too-early", Steps: []lab.Step{{Title: "Clean up when the informer has synced",
				Run: syncedTooEarly,
				Why: "A program deletes copies whose original is gone. Which originals there are, it learns in " +
					"OnAdd, and the handler is slow. The program begins when the informer has synced; then once " +
					"more, with the same objects, when the handler has."}}},
			{Name: "stuck-for-good", Steps: []lab.Step{{Title: "A handler that never returns", Run: stuckForGood,
				Why: "One object of 100 kB is updated again and again. One handler works, and one is stuck."}}},
			{Name: "remove-then-close", Steps: []lab.Step{{Title: "Take a channel away from a handler",
				Run: removeThenClose,
				Why: "A handler sends names through a channel. The program removes the handler, and closes the " +
					"channel. Then it does so again, and waits."}}},
		},
		Interactive: follow,
	}
}
