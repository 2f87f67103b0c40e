// Package scripted lets a client that lists and watches live through a script, in a bubble: a server in memory, a proxy
// in front of it that makes requests fail, and somebody who writes. One seed decides on all of it, and on nothing
// depends how long a client takes. So two clients that decide alike leave the same record behind, and tests of a
// reflector and of what is built on one compare theirs with client-go's.
//
// Reading order: what happens to each request (script.go, answer.go); who makes it happen (world.go, director.go,
// write.go); then what is written down (request.go, log.go).
package scripted
