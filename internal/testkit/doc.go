// Package testkit is what the tests of all chapters share: bubbles of testing/synctest that survive a goroutine left
// behind and a lock held for ever, rapid inside a bubble, goroutine leaks, and what a provider of clusters can do.
package testkit
