// Package owned is a controller of ProcessSets: it keeps as many Processes of one template as a set asks for. Its cache
// is late, answers get lost, another controller may run beside it, and it may end at any request.
//
// Reading order: what a run does (reconciler.go), whose a Process is (claim.go), what a new one is called (names.go)
// and which one goes (rank.go). Then what the controller remembers of its own writes (memory.go, expectations.go,
// consistency.go), what leads to a run (watched.go), and what people are told (status.go). Each part can be exchanged
// (parts.go), which is how the demo compares seven ways of doing it.
//
// Upstream's counterpart is k8s.io/kubernetes/pkg/controller/replicaset, in replica_set.go.
package owned
