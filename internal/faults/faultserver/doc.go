// Package faultserver puts the fault proxy on a port, in front of a cluster, for a program that is not the book's.
//
// A program asks for many things, so requests are counted for each resource by itself: the lists and watches of
// configmaps are 1, 2, 3, and so are those of pods. All other requests pass, and so do WebSocket and SPDY connections
// that are no watch. A watch over a WebSocket is asked for over HTTP, and fails as one over HTTP does.
//
//	script, err := faultserver.Parse("configmaps 2.3 cut; 4 gone", "")
//	server, err := faultserver.Listen(faultserver.Options{Target: url, Transport: transport, Script: script})
//	server.WriteKubeconfig(path, "default")
//	...
//	server.Close()
//	server.Report()
//
// The proxy adds the cluster's credentials to what passes, so it listens on loopback, speaks TLS with a certificate of
// its own, and lets in who has the token of the kubeconfig that it writes.
//
// It speaks HTTP/1.1, with a connection for each request, so that a connection that breaks is the end of one request.
// Lists and watches are asked for in JSON, whatever the program prefers: a fault is placed by events, which a line of
// JSON shows.
//
// Reading order: script.go, resources.go, request.go, server.go, door.go, process.go, socket.go, frame.go, narrate.go,
// report.go, meaning.go.
package faultserver
