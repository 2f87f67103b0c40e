// Package scenario is what the demo's steps and faults stand on. The namespaces of a run, who writes to them, a watch
// that says nothing for a while and the lines of a folder are chapter 09's. Added to them are how the API server is
// reached, a manager that can be stopped, and the writes that a controller sends. None of it is the chapter's
// mechanism.
//
// Reading order: access.go, running.go, ledger.go, drain.go.
package scenario
