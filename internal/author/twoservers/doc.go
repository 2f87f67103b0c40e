// Package twoservers compares what the demos print on chapter 03's API server with what they print on the real one.
//
// While kube-apiserver is not built, a demo plays on the server that chapter 03 builds. That is true to the real one as
// far as a reader sees the same: so a test plays each of these demos on both, and compares step by step, by the words
// that package record leaves of an output. A difference that stays has a row in chapter 03's UPSTREAM.md, which says
// why, and the test reads the rows there. One that is gone has to leave the table, too.
//
// Reading order: table.go, compare.go, demos_test.go.
package twoservers
