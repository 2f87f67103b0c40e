// Package scenario is what demo and claims look at: objects that several writers change, and the writers.
//
// Reading order: send.go sends a write, subject.go has the objects and what is to be changed in them. forced.go has two
// writers lose what a way lets them lose, race.go has eight race, and oracle.go knows what should have come of it, as
// outcomes.go does of all ways. process.go is for the book's own kind, and machine.go and crash.go for a program that
// ends.
package scenario
