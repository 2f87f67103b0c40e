// Package watch is a Kubernetes watch client on net/http alone.
//
// A watch is an HTTP GET whose response does not end: each change of the collection adds one JSON document to the body.
// [Client.Watch] sends the request, [Stream.Next] waits for the next document, and the error of Next says how the
// stream ended: [io.EOF] when the server finished it, anything else when it broke.
//
// Reading order: event.go, decoder.go, stream.go, client.go; then options.go, list.go, path.go and status.go.
//
// Upstream has the same parts in k8s.io/apimachinery/pkg/watch (StreamWatcher), k8s.io/client-go/rest/watch (Decoder)
// and k8s.io/client-go/rest (Request.Watch).
package watch
