// Package restmappertest is the suite that any mapper has to pass that asks an API server, and the server that it asks:
// one that has discovery and nothing else, in memory, whose group versions come, go and fail when a test says so.
//
// Reading order: world.go, suite.go, sentences.go.
package restmappertest
