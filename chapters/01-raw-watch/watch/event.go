package watch

import (
	"encoding/json"
	"fmt"
)

// EventType says what happened to an object, as seen through the watch's own selector.
type EventType string

// The five types of event. There are no others on the wire.
const (
	// Added: the object came into the watch's view.
	// It was created, or began to match the selector, or was there already.
	Added EventType = "ADDED"
	// Modified: the object changed and is still in view.
	Modified EventType = "MODIFIED"
	// Deleted: the object left the view. It was deleted, or no longer matches the selector.
	// The event carries its last state.
	Deleted EventType = "DELETED"
	// Bookmark: no object changed. The event's object holds a resourceVersion and nothing else.
	Bookmark EventType = "BOOKMARK"
	// Error: the watch failed after its 200 was sent. The event's object is a Status, see [Event.Err].
	Error EventType = "ERROR"
)

// Event is one document of a watch stream. Upstream: watch.Event of k8s.io/apimachinery.
type Event struct {
	Type EventType
	// Object is the object's JSON, left as it came. A caller that needs more than [Event.Meta] decodes it.
	// It is the receiver's to keep.
	Object json.RawMessage
}

// Meta is what every object says about itself.
type Meta struct {
	Namespace       string            `json:"namespace"`
	Name            string            `json:"name"`
	UID             string            `json:"uid"`
	ResourceVersion string            `json:"resourceVersion"`
	Labels          map[string]string `json:"labels"`
	Annotations     map[string]string `json:"annotations"`
}

// Key returns "namespace/name", or "name" for an object in no namespace. Upstream: cache.MetaNamespaceKeyFunc.
func (m Meta) Key() string {
	if m.Namespace == "" {
		return m.Name
	}
	return m.Namespace + "/" + m.Name
}

// Meta decodes the object's metadata.
func (e Event) Meta() (Meta, error) { return MetaOf(e.Object) }

// MetaOf decodes the metadata of an object's JSON, for example of a [List]'s item.
func MetaOf(object json.RawMessage) (Meta, error) {
	var o struct {
		Metadata Meta `json:"metadata"`
	}
	if err := json.Unmarshal(object, &o); err != nil {
		return Meta{}, fmt.Errorf("an object's metadata: %w", err)
	}
	return o.Metadata, nil
}

// Err returns the [*StatusError] of an Error event, and nil for every other type.
func (e Event) Err() error {
	if e.Type != Error {
		return nil
	}
	return decodeStatus(e.Object, 0)
}
