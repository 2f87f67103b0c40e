// Package ownedtest plays 500 random operations to a controller of ProcessSets, without a cluster and without
// goroutines: somebody scales, kills, relabels, deletes and makes anew, the watch of Processes is late, and answers
// get lost.
//
// Reading order: the API server (server.go), the cache that is late (late.go), what is done at random (random.go), and
// who knows what is right (oracle.go).
package ownedtest
