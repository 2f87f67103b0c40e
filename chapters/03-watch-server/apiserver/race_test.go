//go:build race

package apiserver

// The race detector makes everything about ten times slower: the big tests are smaller under it.
const raced = true
