// Package machine is the world that a controller of Processes looks after: the processes of this machine, each with a
// parent of its own, the shim, and a folder in which the next controller reads what became of it. It knows nothing of
// API servers.
//
// Reading order: which process a number means (identity.go, and its two systems), what is written down (folder.go), how
// a shim shows that it lives (lock.go), what it does meanwhile (shim.go) and when its machine is to end (leash.go),
// where the output goes (log.go). Then what a controller calls: machine.go, start.go, signal.go. limits.go says what is
// refused.
//
// Upstream's counterparts are containerd's shim (cmd/containerd-shim-runc-v2) and what the kubelet asks of it through
// the CRI.
package machine
