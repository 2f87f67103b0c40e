// Package scenario is what the demo's steps and faults stand on: objects to watch, what each handler was told and made
// of it, and what a cache costs. None of it is the chapter's mechanism.
//
// Reading order: known.go, objects.go, heard.go, cost.go.
package scenario
