// Package scenario is what demo, claims and mine of this chapter share: controllers of ProcessSets whose watch is late,
// whose answers get lost, whose requests are counted, and which are known to rest.
//
// Reading order: what a controller is made of (site.go); what is between it and the API server (gate.go, wire.go), and
// its queue (line.go); then the seven ways to count (ways.go) and what goes wrong (troubles.go).
package scenario
