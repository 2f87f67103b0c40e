// Command 08-workqueue ⟨to be written⟩
//
//	go run ./chapters/08-workqueue                plays everything
//	go run ./chapters/08-workqueue -fault NAME    plays a failure
//	go run ./chapters/08-workqueue -step          waits for Enter, and asks what will happen
//
// main.go is the table of contents. step1_count.go and its neighbours are the steps, faults.go is what -fault plays,
// and setup.go what they share.
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	t := &tour{}
	return lab.Demo{
		Chapter: "08-workqueue",
		Title:   "⟨to be written⟩",
		Steps: []lab.Step{
			{Title: "Add up what two ConfigMaps hold", Run: t.count, Why: "⟨to be written⟩",
				Question: "⟨to be written⟩ how many are there: one, two, or three?", Answer: "⟨to be written⟩ three."},
		},
		Faults: []lab.Fault{
			{Name: "missing", Steps: []lab.Step{{Title: "⟨to be written⟩", Run: missing, Why: "⟨to be written⟩"}}},
		},
	}
}
