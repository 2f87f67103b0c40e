package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	return lab.Demo{
		Chapter: "05-reflector",
		Title:   "a store that follows the API server, and what each failure costs",
		Steps: []lab.Step{
			{Title: "What a failure costs", Run: costs, Why: "x"},
		},
		Faults: eachMishap(),
	}
}
