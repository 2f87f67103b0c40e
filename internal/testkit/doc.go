// Package testkit is what the tests of all chapters share: bubbles of testing/synctest that survive a goroutine left
// behind and a lock held for ever, goroutine leaks, and what a provider of clusters can do. Its packages are cluster
// (an API server, a namespace and a kind for a test), kube (client-go for it), demotest (a demo in a test) and pipe (a
// server and its clients inside one process).
package testkit
