// Package scenario is what stands around this chapter's queues in its demo and in mine: an informer of ConfigMaps whose
// handler adds keys, workers that get them, a record of what they did, and somebody who writes.
//
// Reading order: crew.go, record.go, world.go, writer.go, connect.go.
package scenario
