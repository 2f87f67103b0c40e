// Package kubelettest has a machine in memory, an API server with a late cache, and histories of what happens to both.
//
// Reading order: the machine (machine.go), the site that a kubelet works on (site.go), a controller that is killed at
// one of its steps (gate.go), 300 random histories (random.go), and who knows what is right (oracle.go).
package kubelettest
