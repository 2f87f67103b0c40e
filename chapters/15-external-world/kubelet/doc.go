// Package kubelet is a kubelet in miniature: a controller of Processes, which are processes of the operating system.
// The API server says what is to run, and the machine what runs. Each may change at any time, and only the first has a
// watch.
//
// Reading order: what a run does (reconciler.go). It begins from what the controller knows of each process
// (statemap.go), which others change only by operations that a run applies (operations.go). What takes long goes on in
// the background (starter.go); what happens in the world leads to a run (watch.go), a burst of it to one (debounce.go).
// A new controller learns from the machine what the last one has left (adopt.go). Last, what people are told
// (status.go), and how it is all put together (kubelet.go).
//
// Upstream's counterpart is k8s.io/kubernetes/pkg/kubelet: pod_workers.go is the run, pleg the watch of the world, and
// container/cache.go what is known of it.
package kubelet
