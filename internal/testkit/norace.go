//go:build !race

package testkit

// Raced says whether the race detector runs.
const Raced = false
