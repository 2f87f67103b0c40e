//go:build race

package storage

// The race detector makes everything about ten times slower: the big tests are smaller under it.
const raced = true
