// Package scenario is what the demo's steps and faults stand on: a machine of a run, a controller that is a process of
// its own so that it can be killed, what the API server says of a Process, and what ps says. None of it is the
// chapter's mechanism.
//
// Reading order: world.go, controller.go, life.go, mortal.go, track.go, follow.go, ps.go; part.go has the
// controllers that get it wrong.
package scenario
