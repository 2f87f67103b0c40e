package writes

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

// Change is what a writer wants: an object as it was read, as it should be, and of that what is the writer's own, for
// who applies it.
type Change struct{ Before, After, Own Object }

// Write is one request to the URL of an object.
type Write struct {
	Method    string
	MediaType string // of the body
	Query     url.Values
	Body      []byte
}

// Way is a way to write a change.
type Way struct {
	// Name says it in a few words.
	Name string
	// Make makes the request. The manager is whose name managedFields will have.
	Make func(manager string, c Change) (Write, error)
}

// Ways are all of them.
func Ways() []Way {
	return []Way{
		{"update", put(true)},
		{"update without a version", put(false)},
		{"merge patch", mergeWay(Unlocked)},
		{"merge patch with a version", mergeWay(Locked)},
		{"strategic merge patch", strategic},
		{"JSON patch", jsonWay(Unlocked, false)},
		{"JSON patch, values tested", jsonWay(Unlocked, true)},
		{"JSON patch, version tested", jsonWay(Locked, false)},
		{"apply", apply(false, false)},
		{"apply with a version", apply(true, false)},
		{"apply with force", apply(false, true)},
	}
}

// Named finds a way by its name.
func Named(name string) (w Way, err error) {
	for _, way := range Ways() {
		if way.Name == name {
			return way, nil
		}
	}
	return w, fmt.Errorf("there is no way %q to write", name)
}

// errUnread is what a way with a lock says of an object that it can't lock.
var errUnread = errors.New("the object has no resourceVersion: it can only be locked as it was read")

// version is the resourceVersion of an object.
func version(o Object) string {
	metadata, _ := o["metadata"].(Object)
	v, _ := metadata["resourceVersion"].(string)
	return v
}

// put sends the whole object.
func put(versioned bool) func(string, Change) (Write, error) {
	return func(manager string, c Change) (Write, error) {
		object := c.After
		if versioned && version(object) == "" {
			return Write{}, errUnread
		}
		if !versioned {
			object = Merge(object, Object{"metadata": Object{"resourceVersion": nil}})
		}
		return write(http.MethodPut, "application/json", manager, object)
	}
}

func mergeWay(lock Lock) func(string, Change) (Write, error) {
	return func(manager string, c Change) (Write, error) {
		return patched(manager, mergePatch{}, c, lock)
	}
}

func jsonWay(lock Lock, tested bool) func(string, Change) (Write, error) {
	return func(manager string, c Change) (Write, error) {
		return patched(manager, jsonPatch{tested}, c, lock)
	}
}

// patched sends what differs.
func patched(manager string, f format, c Change, lock Lock) (Write, error) {
	v := ""
	if lock == Locked {
		if v = version(c.Before); v == "" {
			return Write{}, errUnread
		}
	}
	return write(http.MethodPatch, string(f.mediaType()), manager, f.diff(c.Before, c.After, v))
}

// strategic sends what differs, with lists merged by the keys that the Go type's tags name. A kind without a Go type
// that client-go knows gets a merge patch, under the wrong name: there is nothing to merge by.
func strategic(manager string, c Change) (Write, error) {
	kind := schema.FromAPIVersionAndKind(fmt.Sprint(c.Before["apiVersion"]), fmt.Sprint(c.Before["kind"]))
	object, err := scheme.Scheme.New(kind)
	if err != nil {
		return write(http.MethodPatch, string(types.StrategicMergePatchType), manager, MergePatch(c.Before, c.After))
	}
	before, err := json.Marshal(c.Before)
	if err != nil {
		return Write{}, err
	}
	after, err := json.Marshal(c.After)
	if err != nil {
		return Write{}, err
	}
	patch, err := strategicpatch.CreateTwoWayMergePatch(before, after, object)
	if err != nil {
		return Write{}, err
	}
	return write(http.MethodPatch, string(types.StrategicMergePatchType), manager, raw(patch))
}

// apply sends what the manager wants to own: never an object that was read.
func apply(versioned, force bool) func(string, Change) (Write, error) {
	return func(manager string, c Change) (Write, error) {
		own := Merge(c.Own, Object{"apiVersion": c.Before["apiVersion"], "kind": c.Before["kind"]})
		if versioned {
			if version(c.Before) == "" {
				return Write{}, errUnread
			}
			own = locked(own, version(c.Before))
		}
		w, err := write(http.MethodPatch, string(types.ApplyYAMLPatchType), manager, own)
		if force {
			w.Query.Set("force", "true")
		}
		return w, err
	}
}

func write(method, mediaType, manager string, body any) (w Write, err error) {
	w = Write{Method: method, MediaType: mediaType, Query: url.Values{"fieldManager": {manager}}}
	w.Body, err = json.Marshal(body)
	return w, err
}

// raw is JSON already.
type raw []byte

// MarshalJSON implements json.Marshaler.
func (r raw) MarshalJSON() ([]byte, error) { return r, nil }
