// Package scenario has what the demo plays on: controllers that can be killed between two steps of a clean-up, somebody
// who writes beside them, and a record of who was gone when.
//
// Reading order: life.go, world.go; ways.go, meanwhile.go; collector.go, record.go.
package scenario
