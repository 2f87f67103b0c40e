// Package contents is a demo's table of contents, for programs that ask a demo what it plays.
package contents

// Contents is a demo's table of contents: what -list shows to a reader, and -list -json to a program.
type Contents struct {
	// Chapter is the folder below chapters/, and Title what the reader is about to see.
	Chapter string `json:"chapter"`
	Title   string `json:"title"`
	// Steps are what is played without a flag, in order.
	Steps []Step `json:"steps"`
	// Faults are what -fault NAME plays in their place.
	Faults []Fault `json:"faults"`
	// Script is an example of what -fault takes beside the names. It is missing where it takes names alone.
	Script string `json:"script,omitempty"`
	// Interactive says that something runs under -interactive. Without it the namespace stays, and nothing runs.
	Interactive bool `json:"interactive"`
	// Flags are all flags, by their names.
	Flags []Flag `json:"flags"`
}

// Step is a step, without what it runs.
type Step struct {
	// Number is the step's place among the demo's steps, from 1. It is missing for a step that a fault alone has.
	Number int    `json:"number,omitempty"`
	Title  string `json:"title"`
	// Why is what is said before the step.
	Why string `json:"why"`
	// Question is what -step asks before the step. Both are missing where it asks nothing.
	Question string `json:"question,omitempty"`
	Answer   string `json:"answer,omitempty"`
}

// Fault is what -fault NAME plays.
type Fault struct {
	Name  string `json:"name"`
	Steps []Step `json:"steps"`
}

// Flag is a flag, without the dash.
type Flag struct {
	Name    string `json:"name"`
	Usage   string `json:"usage"`
	Default string `json:"default"`
	// Own says that the chapter has added it to those that each demo has.
	Own bool `json:"own"`
}
