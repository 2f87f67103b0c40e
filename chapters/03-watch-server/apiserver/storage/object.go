package storage

import (
	"encoding/json"
	"maps"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	utiljson "k8s.io/apimachinery/pkg/util/json" // whole numbers stay whole
)

// Key names one object: the resource ("configmaps"), its namespace ("" for a resource that has
// none) and its name.
type Key struct{ Resource, Namespace, Name string }

// Object is one object at one revision. It is never changed after it is made, so that the map of
// objects, the window and a thousand watchers can share it, and the JSON in it, without a copy.
type Object struct {
	Key
	Labels   labels.Set
	Revision uint64 // the write that made it: metadata.resourceVersion
	JSON     []byte // the whole object, encoded once, with that resourceVersion in it
}

// newObject encodes content as it reads at a revision. content itself is left as it is.
func newObject(key Key, content map[string]any, revision uint64) (*Object, error) {
	encodable := maps.Clone(content)
	metadata, _ := content["metadata"].(map[string]any)
	if metadata = maps.Clone(metadata); metadata == nil {
		metadata = map[string]any{}
	}
	metadata["resourceVersion"] = FormatRevision(revision)
	encodable["metadata"] = metadata
	encoded, err := json.Marshal(encodable)
	if err != nil {
		return nil, err
	}
	set := (&unstructured.Unstructured{Object: encodable}).GetLabels()
	return &Object{Key: key, Labels: set, Revision: revision, JSON: encoded}, nil
}

// Content decodes the object. The caller owns what it gets.
func (o *Object) Content() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(o.JSON, &u.Object); err != nil {
		panic("storage: an object that was encoded here does not decode: " + err.Error())
	}
	return u
}

// withRevision is the same object under another revision: what the DELETED event of a later write carries.
func (o *Object) withRevision(revision uint64) *Object {
	moved, err := newObject(o.Key, o.Content().Object, revision)
	if err != nil {
		panic("storage: an object that was decoded here does not encode: " + err.Error())
	}
	return moved
}

// FormatRevision writes a revision as the resourceVersion that clients see: an opaque string to
// them, a decimal number to the server.
func FormatRevision(revision uint64) string { return strconv.FormatUint(revision, 10) }
