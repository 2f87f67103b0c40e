// Package scenario is what the demo's steps and faults stand on: the namespaces of a run and somebody who writes to
// them, a controller that can be started and stopped, what it asks and writes, a watch that says nothing for a while,
// and the lines that all this has. None of it is the chapter's mechanism.
//
// Reading order: world.go, control.go, ledger.go; then hold.go, lines.go.
package scenario
