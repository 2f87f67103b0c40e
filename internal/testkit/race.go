//go:build race

package testkit

// Raced says whether the race detector runs: it makes everything about ten times slower, so that big tests are smaller
// under it.
const Raced = true
