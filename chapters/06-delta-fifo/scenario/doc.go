// Package scenario is what stands around this chapter's queues in its demo and in mine: a Reflector that feeds several
// of them with the same calls, consumers that do what an informer does with what they pop, and a writer.
//
// Reading order: side.go, consume.go, feed.go, connect.go, writer.go, text.go.
package scenario
