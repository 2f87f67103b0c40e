// Package scenario is what the demo of chapter 10 plays with, and its tests ask with.
//
// Reading order: a kind of the run's own, which can come late and change (kind.go), what a server answers (answer.go),
// and clients whose bytes are counted (clients.go).
package scenario
