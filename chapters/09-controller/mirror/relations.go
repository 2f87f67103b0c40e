package mirror

// Relations say which places a change may concern. They are answered from the caches.
//
// Upstream: what a controller does by hand, such as getPodReplicaSets in pkg/controller/replicaset/replica_set.go, and
// what controller-runtime calls a map function.
type Relations interface {
	// Namespaces are those that ask for mirrors, and those in which a mirror of that name stands.
	Namespaces(name string) []string
	// Names are those of all sources, and of the mirrors that stand in that namespace.
	Names(namespace string) []string
}
