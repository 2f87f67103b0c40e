// Package mirrortest is what any mirror controller has to pass: chapter 09's, on client-go's parts and on this book's,
// and the same controller on another framework. Each sentence is a small world: chapter 03's API server in memory, a
// user who writes to it, and the controller between them, whose watches can be held, cut and expired, and whose writes
// can be refused. What should come of it an oracle computes, in another way than the controller.
//
// Reading order: suite.go; the oracle (oracle.go); the world (world.go, user.go) and what stands before its server
// (wire.go, gate.go); then what is promised (sentences.go, restart.go, trouble.go), and everything at once (random.go).
// How fast it is done: bench.go. What SIGKILL does to it on the API server: crash/.
package mirrortest
