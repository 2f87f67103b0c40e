// Command 05-reflector has a reflector fill a store from the API server, and shows what each failure costs it: which
// request comes next, from which version, and after how long, beside client-go's reflector under the same failure.
//
//	go run ./chapters/05-reflector                     plays everything
//	go run ./chapters/05-reflector -list               lists what there is to play
//	go run ./chapters/05-reflector -fault expired      plays one failure, slowly
//	go run ./chapters/05-reflector -step               waits for Enter, and asks what will happen
//	go run ./chapters/05-reflector -interactive        stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_fill.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, setup.go what they share, and scenario/ what plays a failure to a reflector.
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	return lab.Demo{
		Chapter:     "05-reflector",
		Title:       "a store that follows the API server, and what each failure costs",
		PlaysOnBook: true,
		Steps: []lab.Step{
			{Title: "Fill a store", Run: fill,
				Why: "A reflector follows the ConfigMaps with a label shop, menu and prices to begin with. It has the " +
					"server end each watch after 4 seconds. hours is added, prices is deleted, and poster, which does " +
					"not have the label, is written last.",
				Question: "prices is deleted, then poster is written, which has no such label, then the server ends the " +
					"watch. What is the next request: a list, a watch from the deletion, a watch from later?",
				Answer: "A watch from later. A bookmark told how far the stream had come without an event."},
			{Title: "What a failure costs", Run: costs,
				Why: "All failures at the same time, each for a reflector of ours and one of client-go's. Which request " +
					"comes next, from which version, and after how long? What does the store hear?",
				Question: "The server answers a watch with 503, once. Does the reflector next ask for the changes since the " +
					"last version, or for all objects again?",
				Answer: "For all objects. A 503 on a watch costs as much as a 410."},
			{Title: "Resync", Run: resync,
				Why: "lunch is a ConfigMap with shop=open. Somebody has written shop=closed into the object that the " +
					"store holds. A resync is due every 100 ms.",
				Question: "Which request does a resync send: a list, a watch, none?",
				Answer:   "None. It is between the reflector and its store."},
		},
		Faults:      append(eachMishap(), stopFault(), noEndFault()),
		Interactive: follow,
	}
}
